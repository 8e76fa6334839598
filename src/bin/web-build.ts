// Builds the web app with Bun's bundler: on the first request when run from source, and once for the executable's pack.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export type BuiltFile = { name: string; type: string; bytes: Uint8Array }
export type BuiltApp = { page: string; files: BuiltFile[] }

const WEB = join(import.meta.dir, '../web')
const FONTS = {
  'geist.woff2': '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'geist-italic.woff2': '@fontsource-variable/geist/files/geist-latin-wght-italic.woff2',
  'geist-mono.woff2': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
}

/** The tab icon: normal, when something needs the person, and when something is unread. */
const ICONS = { plain: 'icon.svg', needs: 'icon-needs.svg', unread: 'icon-unread.svg' }

function bundle(...names: string[]) {
  return Bun.build({
    entrypoints: names.map((name) => join(WEB, name)),
    target: 'browser',
    splitting: true,
    minify: true,
    publicPath: '/app/',
    // Fonts keep their URL on the server; the bundler would inline them into the style sheet.
    external: ['/app/*'],
    naming: '[name]-[hash].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
}

export async function buildWebApp(): Promise<BuiltApp> {
  // The worker is built separately. Otherwise, shared code would be one more file to load before the first row.
  const [built, apart] = await Promise.all([
    bundle('main.tsx', 'theme.ts'),
    bundle('document-worker.ts'),
  ])
  const fonts = await Promise.all(Object.entries(FONTS).map(([name, path]) => font(name, path)))
  const icons = await Promise.all(
    Object.values(ICONS).map((name) =>
      nameByContent(name, 'image/svg+xml', readFileSync(join(WEB, name))),
    ),
  )
  const places = new Map([...fonts, ...icons].map(({ from, file }) => [from, file.name]))
  const sheet = built.outputs.find(
    ({ path }) => plain(path).startsWith('main-') && path.endsWith('.css'),
  )
  const rules = (await sheet?.text()) ?? ''
  const outputs = [...built.outputs, ...apart.outputs].filter(({ path }) => !path.endsWith('.css'))
  const scripts = await Promise.all(
    outputs.map(async (output): Promise<BuiltFile> => {
      return { name: plain(output.path), type: SCRIPT, bytes: encode(await output.text()) }
    }),
  )
  const worker = scripts.find(({ name }) => name.startsWith('document-worker-'))
  const main = scripts.find(({ name }) => name.startsWith('main-'))
  const theme = scripts.find(({ name }) => name.startsWith('theme-'))
  if (!worker || !main || !theme || !sheet) throw new Error('the web app was not built whole')
  // The tokens are added as they are: the bundler would rewrite light-dark() for browsers we don't support.
  const tokens = squeezeCss(readFileSync(join(WEB, 'tokens.css'), 'utf8'))
  const css = renameUrls(tokens + dropOldRules(rules), places)
  const style = await nameByContent('style.css', 'text/css; charset=utf-8', encode(css))
  const page = pageOf({
    icon: places.get(ICONS.plain) ?? '',
    needs: places.get(ICONS.needs) ?? '',
    unread: places.get(ICONS.unread) ?? '',
    font: places.get('geist.woff2') ?? '',
    style: style.file.name,
    theme: theme.name,
    main: main.name,
    worker: worker.name,
  })
  const others = [...fonts, ...icons].map(({ file }) => file)
  return { page, files: [...scripts, style.file, ...others] }
}

const SCRIPT = 'text/javascript; charset=utf-8'
const encode = (text: string) => new TextEncoder().encode(text)
const plain = (path: string) => path.slice(path.lastIndexOf('/') + 1)

async function font(name: string, path: string) {
  const found = createRequire(import.meta.url).resolve(path)
  return nameByContent(name, 'font/woff2', readFileSync(found))
}

async function nameByContent(from: string, type: string, bytes: Uint8Array) {
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 8)
  const name = from.replace(/(\.[^.]+)$/, `-${digest}$1`)
  return { from, file: { name, type, bytes } }
}

function renameUrls(css: string, places: ReadonlyMap<string, string>): string {
  return css.replace(/url\("?\/app\/([^")]+)"?\)/g, (_, name: string) => {
    const place = places.get(name)
    if (place === undefined)
      throw new Error(`the style sheet names ${name}, which is no file of the app`)
    return `url(/app/${place})`
  })
}

/** The bundler repeats rules for browsers we don't support, and keeps empty rules. */
function dropOldRules(css: string): string {
  return css
    .replace(/[^{};]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g, '')
    .replace(/(?<=[{};])[^{};@]+\{\}/g, '')
}

function squeezeCss(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};,])\s*/g, '$1')
}

type Names = Record<
  'icon' | 'needs' | 'unread' | 'font' | 'style' | 'theme' | 'main' | 'worker',
  string
>

/**
 * The page contains the worker's file name, because the bundler doesn't write it into the script that starts the
 * worker.
 */
function pageOf({ icon, needs, unread, font, style, theme, main, worker }: Names): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="document-worker" content="/app/${worker}">
<title>Mailroom</title>
<link rel="icon" href="/app/${icon}" data-plain="/app/${icon}" data-needs="/app/${needs}" data-unread="/app/${unread}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="/app/${font}">
<link rel="stylesheet" href="/app/${style}">
<script src="/app/${theme}"></script>
<script type="module" src="/app/${main}"></script>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. In a shell, inbox mail read shows your mail.</noscript>
</body>
</html>
`
}
