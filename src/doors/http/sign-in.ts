// A browser signs in with a code that works once, within ten minutes. The link shows a page whose button exchanges
// the code for a session. Merely fetching the link, as mail programs or prefetching browsers do, doesn't use up the
// code.

import { isBrowser, type Principal } from '../../core/principal.ts'
import { shellWord } from '../../core/shell-word.ts'
import { callDirectly } from '../../ops/call.ts'
import { isGoodCode, redeemCode, SESSION_SECONDS } from '../../ops/identity/identify.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { HttpRefusal, text } from './answer.ts'
import { readForm } from './body.ts'
import { type HttpServer, liveStores, type ServedStore } from './http-server.ts'
import { type IdentifiedCaller, identifyCaller, mustComeFromOwnPage } from './identity.ts'
import { HTML, type Html, html, page } from './page.ts'
import type { HttpCall } from './route.ts'

function howTo({ url, auth, stores, program }: HttpServer): Html {
  // Callers on other machines don't learn where the stores are.
  const places = auth === 'local' ? stores.map(({ place }) => shellWord(place)) : ['STORE']
  const commands = places.map((place) => `${program} sign-in --server ${url} --db ${place}`)
  const which = auth === 'local' ? '' : ', with the STORE that the server was started for,'
  const these = commands.length > 1 ? 'one of these' : 'this'
  return html`<p>Run ${these} in a shell on the server's machine${which} and open the link that it prints:</p>
<pre>${commands.join('\n')}</pre>`
}

export async function signInPage(asked: HttpCall): Promise<Response> {
  const { server, url } = asked
  const code = url.searchParams.get('code') ?? ''
  const good = await Promise.all(
    liveStores(server.stores).map(({ house }) => isGoodCode(house.store, code)),
  )
  if (code !== '' && !good.includes(true)) return signedInOr(asked, worthless(server))
  const form = html`<p>You stay signed in for ${SESSION_SECONDS / 86_400} days, or until you sign out.</p>
<form method="post" action="/sign-in"><input type="hidden" name="code" value="${code}">
<button autofocus>Sign in</button></form>`
  return text(page({ title: 'Sign in', parts: [code === '' ? howTo(server) : form] }), HTML)
}

export async function signIn(asked: HttpCall): Promise<Response> {
  const { server, request } = asked
  const code = (await readForm(request)).get('code') ?? ''
  for (const served of liveStores(server.stores)) {
    const session = await redeemCode(served.house, code)
    if (session === null) continue
    server.log({ level: 'info', what: 'signed in', who: session.principal.name, store: served.id })
    // Browsers don't send the part after #. The page saves it in its storage, which is specific to the port.
    const which = server.stores.length > 1 ? `?store=${served.id}` : ''
    const to = `/${which}#key=${session.pageKey}`
    return seeOther(to, setCookie(request, served, session.secret, SESSION_SECONDS))
  }
  return signedInOr(asked, worthless(server))
}

/** If the user clicked twice or came back through the link, the browser is already signed in. */
async function signedInOr(asked: HttpCall, otherwise: Response): Promise<Response> {
  const known = await callerIfKnown(asked.server, asked)
  return known !== null && isBrowser(known.principal) ? seeOther('/', {}) : otherwise
}

function worthless(server: HttpServer): Response {
  const why = html`<p>It was already used, or has expired. A link works once, within ten minutes.</p>`
  const parts = [why, howTo(server)]
  return text(page({ title: 'This link no longer works', parts }), HTML, 401)
}

export async function signOut(asked: HttpCall): Promise<Response> {
  const { server, request } = asked
  // The form is empty, but it must come from one of our pages.
  await readForm(request)
  mustComeFromOwnPage(request)
  const known = await callerIfKnown(server, asked)
  if (known === null) return seeOther('/', {})
  const { served, principal } = known
  await revoke(server, served, principal)
  return seeOther('/', setCookie(request, served, '', 0))
}

async function revoke(
  server: HttpServer,
  served: ServedStore,
  { token_id, ...who }: Principal,
): Promise<void> {
  if (token_id === undefined) return
  const principal: Principal = { kind: 'system', name: 'system', proof: 'self' }
  const raw = { token: token_id }
  const { signal } = new AbortController()
  const op = await operationNamed('token revoke')
  await callDirectly(served.house, { op, principal, raw, door: 'http', signal })
  server.log({ level: 'info', what: 'signed out', who: who.name, store: served.id })
}

/** An expired session counts as no session. */
async function callerIfKnown(
  ...asked: Parameters<typeof identifyCaller>
): Promise<IdentifiedCaller | null> {
  try {
    return await identifyCaller(...asked)
  } catch (error) {
    if (error instanceof HttpRefusal) return null
    throw error
  }
}

function setCookie(
  request: Request,
  { cookie }: ServedStore,
  value: string,
  seconds: number,
): Record<string, string> {
  // With https, a browser never needs to send the cookie in cleartext.
  const secure = request.headers.get('origin')?.startsWith('https:') ? '; Secure' : ''
  return {
    'set-cookie': `${cookie}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`,
  }
}

function seeOther(location: string, headers: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } })
}
