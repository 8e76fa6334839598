// The few pages of the server itself: signing in, and unread items. They have no script, and other people's
// words are escaped.

export const HTML = 'text/html; charset=utf-8'

/** A dot, as in the heading. Browsers ask for an icon, and would log that there is none. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%232255d5'/%3E%3C/svg%3E"

export type PageContent = {
  title: string
  parts: Html[]
  /** Stands at the top, beside the name of the store. */
  corner?: Html
  /** The address to which the browser goes on by itself, at once. */
  onTo?: string
}

export function page({ title, parts, corner, onTo }: PageContent): string {
  const on = onTo === undefined ? '' : html`<meta http-equiv="refresh" content="0;url=${onTo}">`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${on}
<title>${title} · Mailroom</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><a href="/">Mailroom</a>${corner ?? ''}</header>
<main>
<h1>${title}</h1>
${parts}
</main>
</body>
</html>
`.html
}

/** Text that is known to be safe in a page. */
export type Html = { html: string }

type HtmlValue = string | number | Html | readonly Html[]

/** A template whose values are escaped, except parts that were made by this function. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = strings.map(
    (part, at) => part + (at < values.length ? escapeValue(values[at] ?? '') : ''),
  )
  return { html: text.join('') }
}

function escapeValue(value: HtmlValue): string {
  if (typeof value !== 'object') return escaped(String(value))
  return ('html' in value ? [value] : value).map((part) => part.html).join('\n')
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
