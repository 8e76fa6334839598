// A browser is let in by a code that is good once and for a minute: the link shows a page, and the page's
// button exchanges the code for a session. A link that is only looked at, by a mail program or a browser
// that reads ahead, uses nothing up.

import type { Principal } from '../../core/principal.ts'
import { shellWord } from '../../core/shell-word.ts'
import { call } from '../../ops/call.ts'
import { redeemCode, SESSION_SECONDS } from '../../ops/identify.ts'
import { decline, text } from './answer.ts'
import { readForm } from './body.ts'
import { type Known, mustComeFromOwnPage, whoCalls } from './identity.ts'
import { html, page } from './page.ts'
import type { Asked } from './route.ts'
import { seldom } from './seldom.ts'
import type { Served, Site } from './site.ts'

const HTML = 'text/html; charset=utf-8'

/** What to type where the server runs, to be let in. */
function howTo({ url, auth, stores }: Site) {
  // Strangers who reach it from elsewhere need not learn where its stores are.
  const places = auth === 'local' ? stores.map(({ place }) => shellWord(place)) : ['STORE']
  const commands = places.map((place) => `inbox sign-in --server ${url} --db ${place}`)
  const which = auth === 'local' ? '' : ', with the STORE that the server was started for'
  const one = commands.length > 1 ? 'one of these' : ''
  return html`<p>In a shell on the server's machine, run ${one}${which}</p><pre>${commands.join('\n')}</pre><p>and open the link it prints, within a minute.</p>`
}

export async function signInPage({ site, url }: Asked): Promise<Response> {
  const code = url.searchParams.get('code') ?? ''
  const form = html`<form method="post" action="/sign-in">
<input type="hidden" name="code" value="${code}"><button autofocus>Sign in</button></form>`
  return text(page('Sign in to the inbox', [code === '' ? howTo(site) : form]), HTML)
}

/** To try a code means a write; whoever tries many has none. */
const refusals = seldom(20)

export async function signIn({ site, request }: Asked): Promise<Response> {
  if (refusals.isFull()) throw decline(503, 'too many links that open nothing; try again')
  const code = (await readForm(request)).get('code') ?? ''
  for (const served of site.stores) {
    const session = await redeemCode(served.house, code)
    if (session === null) continue
    site.log({ level: 'info', what: 'signed in', who: session.principal.name, store: served.id })
    return seeOther('/', setCookie(request, served, session.secret, SESSION_SECONDS))
  }
  refusals.count()
  const why = html`<p>This link was used already, or is older than a minute.</p>`
  return text(page('That link opens nothing', [why, howTo(site)]), HTML, 401)
}

export async function signOut({ site, request, url, connection }: Asked): Promise<Response> {
  // Nothing comes with it; but what comes must come from a form of ours.
  await readForm(request)
  mustComeFromOwnPage(request)
  const known = await knownOr(null, site, { request, url, connection })
  if (known === null) return seeOther('/', {})
  const { served, principal } = known
  await revoke(site, served, principal)
  return seeOther('/', setCookie(request, served, '', 0))
}

async function revoke(site: Site, served: Served, { token_id, ...who }: Principal): Promise<void> {
  if (token_id === undefined) return
  const principal: Principal = { kind: 'system', name: 'system', proof: 'session' }
  const raw = { token: token_id }
  const { signal } = new AbortController()
  const { settle } = await call(served.house, {
    ...{ name: 'token revoke', principal, raw, door: 'http', signal },
  })
  await settle()
  site.log({ level: 'info', what: 'signed out', who: who.name, store: served.id })
}

export async function homePage(asked: Asked): Promise<Response> {
  const known = await knownOr(null, asked.site, asked)
  if (known === null || known.principal.kind === 'agent') {
    const why = html`<p>You are not signed in.</p>`
    return text(page('Inbox', [why, howTo(asked.site)]), HTML, 401)
  }
  const { served, principal } = known
  const unread = await served.house.store.unread(principal.name)
  return text(
    page('Inbox', [
      html`<dl><dt>You are</dt><dd>${principal.name}</dd><dt>Store</dt><dd>${served.place}</dd><dt>Unread</dt><dd>${String(unread)}</dd></dl>`,
      html`<p>Read it with <code>inbox mail read --agent ${principal.name}</code>.</p>`,
      html`<h2>Connect an agent</h2><p>Over MCP, as the agent <code>NAME</code>:</p><pre>${asked.site.url}/mcp?agent=NAME</pre>`,
      html`<p>With a token of its own (<code>inbox token issue NAME</code>), in the header <code>Authorization: Bearer</code>: <code>${asked.site.url}/mcp</code>. From a workspace: <code>${asked.site.url}/mcp/WORKSPACE</code>. Programs use <a href="/api/openapi.json">the HTTP API</a>.</p>`,
      html`<form method="post" action="/sign-out"><button>Sign out</button></form>`,
    ]),
    HTML,
  )
}

/** A page tells somebody whose session is over what to do, instead of refusing. */
async function knownOr(other: null, ...asked: Parameters<typeof whoCalls>): Promise<Known | null> {
  try {
    return await whoCalls(...asked)
  } catch {
    return other
  }
}

function setCookie(
  request: Request,
  { cookie }: Served,
  value: string,
  seconds: number,
): Record<string, string> {
  // Behind https a browser need never send it in the clear.
  const secure = request.headers.get('origin')?.startsWith('https:') ? '; Secure' : ''
  return {
    'set-cookie': `${cookie}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`,
  }
}

function seeOther(location: string, headers: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } })
}
