// A file that is one JSON list, read as it comes: each element with the line it begins on and its own text,
// which nothing has understood yet. A file that does not begin with a bracket is lines, as ever.

export type Element = { number: number; line: string }

export async function* elementsOf(lines: AsyncIterable<string>): AsyncGenerator<Element> {
  let number = 0
  let form: 'unknown' | 'lines' | ReturnType<typeof listReader> = 'unknown'
  for await (const line of lines) {
    number += 1
    if (form === 'unknown') {
      const text = line.trimStart()
      if (text === '') continue
      form = text.startsWith('[') ? listReader() : 'lines'
      if (form !== 'lines') {
        yield* form.read(text.slice(1), number)
        continue
      }
    }
    if (form === 'lines') yield { number, line }
    else yield* form.read(line, number)
  }
  if (typeof form === 'object') yield* form.end()
}

/** What is between the brackets, cut at the commas between its elements. */
function listReader() {
  let text = ''
  let begun = 0
  let depth = 0
  let quoted: 'no' | 'yes' | 'escaped' = 'no'
  let isOver = false
  function* cut(): Generator<Element> {
    if (text.trim() !== '') yield { number: begun, line: text.trim() }
    text = ''
  }
  return {
    *read(line: string, number: number): Generator<Element> {
      let from = 0
      const take = (upto: number) => {
        const part = line.slice(from, upto)
        if (text.trim() === '' && part.trim() !== '') begun = number
        text += part
        from = upto + 1
      }
      for (let at = 0; at < line.length && !isOver; at++) {
        const char = line[at]
        if (quoted === 'escaped') quoted = 'yes'
        else if (quoted === 'yes') {
          if (char === '\\') quoted = 'escaped'
          else if (char === '"') quoted = 'no'
        } else if (char === '"') quoted = 'yes'
        else if (char === '{' || char === '[') depth += 1
        else if (depth > 0 && (char === '}' || char === ']')) depth -= 1
        else if (depth === 0 && (char === ',' || char === ']')) {
          take(at)
          yield* cut()
          isOver = char === ']'
        }
      }
      take(line.length)
      // Between tokens any space will do; what is cut short inside a string is no JSON either way.
      text += ' '
    },
    end: cut,
  }
}
