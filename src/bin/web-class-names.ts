// Shorter names for the classes of the style sheet. The bundler's own, such as button_hgB9MA, are a tenth of it as it
// goes over the line. A name depends on nothing but its own module, whose script changes with it: a browser may keep
// an old script for ever, and must never find it beside other names.

const CLASS = /\.([A-Za-z][\w-]*?)_([\w-]{6})(?![\w-])/g

/** From the bundler's name to the one that the browser gets. */
export function shortClassNames(css: string): Map<string, string> {
  const modules = new Map<string, Set<string>>()
  for (const [, name = '', module = ''] of css.matchAll(CLASS)) {
    modules.set(module, (modules.get(module) ?? new Set()).add(name))
  }
  const short = new Map<string, string>()
  for (const [module, names] of modules) {
    for (const name of names)
      short.set(`${name}_${module}`, beginningOf(name, names) + module.slice(0, 4))
  }
  if (new Set(short.values()).size < short.size) throw new Error('two classes have one short name')
  return short
}

/** The first letters of a name, as many as tell it from the others of its module. */
function beginningOf(name: string, all: ReadonlySet<string>): string {
  for (let length = 1; length < name.length; length += 1) {
    const letters = name.slice(0, length)
    if ([...all].every((other) => other === name || !other.startsWith(letters))) return letters
  }
  // Another name goes on where this one ends.
  return `${name}_`
}

export function withShortNames(text: string, short: ReadonlyMap<string, string>): string {
  return text.replace(
    /(?<![\w-])[A-Za-z][\w-]*_[\w-]{6}(?![\w-])/g,
    (name) => short.get(name) ?? name,
  )
}

/** A class that only takes over from others leaves an empty rule. */
export function withoutEmptyRules(css: string): string {
  return css.replace(/(?<=[{};])\.[\w-]+\{\}/g, '')
}
