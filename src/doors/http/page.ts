// The few pages there are without the app: signing in, and who you are. No script, and what others wrote
// is text.

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: CanvasText; background: Canvas; color-scheme: light dark }
h1 { font-size: 1.4rem } code, pre { font-family: ui-monospace, monospace; font-size: 0.9em }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid GrayText; border-radius: 6px }
button { font: inherit; padding: 0.4rem 1rem } dt { font-weight: 600 } dd { margin: 0 0 0.5rem }`

export const STYLE_SHEET = `${STYLE}\n`

export function page(title: string, parts: Html[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<link rel="stylesheet" href="/style.css"></head>
<body><main><h1>${escaped(title)}</h1>
${parts.map(({ html }) => html).join('\n')}
</main></body></html>
`
}

/** Text that is known to be safe in a page. */
export type Html = { html: string }

/** A template whose values are text, whoever wrote them. */
export function html(strings: TemplateStringsArray, ...values: (string | number)[]): Html {
  const text = strings.map(
    (part, at) => part + (at < values.length ? escaped(String(values[at])) : ''),
  )
  return { html: text.join('') }
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)
}
