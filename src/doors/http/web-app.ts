// The web app: the files it loads, and one page for all screens, which is the same for everyone and contains no data.
// The page gets its data through the same routes as programs.

import { decline } from './answer.ts'
import { HTML } from './page.ts'
import type { HttpCall, Route } from './route.ts'

/** The web app's files, provided by src/bin. */
export type WebApp = {
  page: () => Promise<string>
  /** Returns null if there's no such file. `encodings` lists those that the caller accepts. */
  file: (name: string, encodings: readonly WebEncoding[]) => Promise<WebFile | null>
}

export type WebEncoding = 'br' | 'gzip'

export type WebFile = { body: Blob | Uint8Array; type: string; encoding: WebEncoding | null }

/** The paths of the screens. Other sites can link to them. */
const SCREENS = [
  '/',
  '/inbox',
  '/inbox/*',
  '/approvals',
  '/approvals/*',
  '/threads',
  '/threads/*',
  '/channels',
  '/channels/*',
  '/agents',
  '/agents/*',
  '/history',
  '/history/*',
  '/notifications',
  '/notifications/*',
  '/trash',
  '/trash/*',
  '/settings',
  '/settings/*',
]

const FIRST_PARTS = new Set(SCREENS.map((path) => path.split('/')[1] as string))

/** Whether this path is one of our pages, which other sites can link to. */
export function isScreen(pathname: string): boolean {
  return FIRST_PARTS.has(pathname.split('/')[1] ?? '')
}

export const WEB_ROUTES: readonly Route[] = [
  ...SCREENS.map(
    (path): Route => ({
      method: 'GET',
      path,
      who: 'anyone',
      about: 'The web app.',
      gives: 'text/html',
      run: appPage,
    }),
  ),
  {
    method: 'GET',
    path: '/app/:name',
    who: 'anyone',
    about: 'A file of the web app. Its name changes with its content.',
    gives: 'application/octet-stream',
    run: appFile,
  },
]

/** The files the page loads first. They change with the app, so a page opened earlier can detect a new version. */
export async function buildOf({ web }: HttpCall['server']): Promise<string[]> {
  return [...(await web.page()).matchAll(/(?:src|href)="\/app\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
}

async function appPage({ server }: HttpCall): Promise<Response> {
  return new Response(await server.web.page(), { headers: { 'content-type': HTML } })
}

async function appFile({ server, request, params }: HttpCall): Promise<Response> {
  const encodings = encodingsIn(request.headers.get('accept-encoding') ?? '')
  const file = await server.web.file(params.name ?? '', encodings)
  if (file === null) throw decline(404, 'there is nothing at this address')
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  if (file.encoding !== null) headers.set('content-encoding', file.encoding)
  return new Response(file.body, { headers })
}

/** q=0 means the caller doesn't accept the encoding. */
function encodingsIn(accepted: string): WebEncoding[] {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  )
  return (['br', 'gzip'] as const).filter((encoding) => taken.has(encoding))
}
