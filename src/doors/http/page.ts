// The pages that the server renders without the web app: sign-in, sign-out and errors. They have no scripts, images or
// fonts, and content from others is escaped.

export const HTML = 'text/html; charset=utf-8'

/** A dot, as in the heading. Without an icon, browsers ask for one and log an error. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%232255d5'/%3E%3C/svg%3E"

export type PageContent = {
  title: string
  parts: Html[]
}

export function page({ title, parts }: PageContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Mailroom</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><a href="/">Mailroom</a></header>
<main>
<h1>${title}</h1>
${parts}
</main>
</body>
</html>
`.html
}

export type Html = { html: string }

type HtmlValue = string | number | Html | readonly Html[]

/** A template tag that escapes its values, except for parts that it made itself. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = strings.map(
    (part, at) => part + (at < values.length ? escapeValue(values[at] ?? '') : ''),
  )
  return { html: text.join('') }
}

function escapeValue(value: HtmlValue): string {
  if (typeof value !== 'object') return escapeText(String(value))
  return ('html' in value ? [value] : value).map((part) => part.html).join('\n')
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)
}

/** Contrast is at least 4.5 for text and 3 for everything else, in both themes. */
export const STYLE_SHEET = `:root {
  color-scheme: light dark;
  --paper: #faf9f7; --well: #f3f2ef; --line: #e3e2df; --edge: #878681;
  --ink: #1a1c21; --soft: #4d5057; --faint: #63656d; --on-ink: #fafaf9; --signal: #2255d5; --link: #1848c8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121316; --well: #1f2024; --line: #282a2e; --edge: #777a82;
    --ink: #ecedef; --soft: #b3b6bc; --faint: #9598a0; --on-ink: #121315; --signal: #79a2f9; --link: #92b6ff;
  }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; max-width: 46rem; padding: 0 1.5rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere;
}
:focus-visible { outline: 2px solid var(--signal); outline-offset: 2px; border-radius: 4px }
a { color: var(--link) }
header {
  display: flex; align-items: center; gap: 0.25rem 1rem; min-height: 3.5rem; padding: 0.375rem 0;
  border-bottom: 1px solid var(--line);
}
header a { margin-right: auto; color: inherit; font-weight: 600; text-decoration: none; padding: 0.5rem 0 }
header a::before {
  content: ''; display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.5rem;
  border-radius: 50%; background: var(--signal);
}
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.012em; margin: 2.5rem 0 0.5rem }
p { margin: 0.5rem 0; max-width: 64ch; color: var(--soft) }
code, pre { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
p code { color: var(--ink) }
pre {
  margin: 0.75rem 0; padding: 0.75rem 1rem; border-radius: 8px; background: var(--well); color: var(--ink);
  white-space: pre-wrap; user-select: all;
}
button {
  min-height: 2.75rem; padding: 0 1.25rem; border: 1px solid var(--ink); border-radius: 6px; cursor: pointer;
  background: var(--ink); color: var(--on-ink); font: inherit; font-weight: 600;
}
button:hover { text-decoration: underline }
button:focus-visible { border-radius: 6px }
main form { margin: 1.5rem 0 }
@media (max-width: 30rem) { body { padding: 0 1rem 3rem } h1 { margin-top: 1.75rem } }
@media (forced-colors: active) { header a::before { background: Highlight; forced-color-adjust: none } }
`
