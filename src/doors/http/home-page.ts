// The page of somebody who is signed in: what is unread, and how an agent comes in. Looking changes nothing.

import { shellWord } from '../../core/shell-word.ts'
import { call } from '../../ops/call.ts'
import type { Inbox } from '../../ops/inbox.ts'
import type { InboxMessage } from '../../ops/mail-view.ts'
import { Declined, text } from './answer.ts'
import { whoCalls } from './identity.ts'
import { HTML, type Html, html, page } from './page.ts'
import type { Asked } from './route.ts'
import { howTo } from './sign-in.ts'
import type { Served, Site } from './site.ts'

/** On the page; the shell has all of them. */
const SHOWN = 20

export async function homePage(asked: Asked): Promise<Response> {
  const { site, request, url } = asked
  let why = 'This browser is not signed in.'
  const known = await whoCalls(site, asked).catch((error) => {
    if (!(error instanceof Declined)) throw error
    why = 'Your session is over: it was ended, or is older than thirty days.'
    return null
  })
  if (known === null || known.principal.kind === 'agent') {
    // Who follows a link from another site comes without the cookie. From this page it is sent.
    if (request.headers.get('sec-fetch-site') === 'cross-site') {
      return text(page({ title: 'One moment', parts: [], onTo: `/${url.search}` }), HTML)
    }
    return text(page({ title: 'Sign in', parts: [html`<p>${why}</p>`, howTo(site)] }), HTML, 401)
  }
  const { served, principal } = known
  const { signal } = request
  const raw = { limit: SHOWN }
  const want = { name: 'mail peek', principal, raw, door: 'http' as const, signal }
  const { messages, unread } = (await call(served.house, want)).result as Inbox
  const more = unread - messages.length
  const read = `inbox mail read --agent ${principal.name} --db ${shellWord(served.place)}`
  const parts = [
    unread === 0
      ? html`<p>What agents push or write to you is shown here.</p>`
      : html`<ol>${messages.map(item)}</ol>`,
    ...(more > 0 ? [html`<p>And ${more} more.</p>`] : []),
    html`<p>Read and answer in a shell:</p><pre>${read}</pre>`,
    connecting(site, served),
  ]
  const corner = html`<span>${principal.name}</span>
<form method="post" action="/sign-out"><button>Sign out</button></form>`
  const title = unread === 0 ? 'Nothing unread' : `${unread} unread`
  return text(page({ title, parts, corner }), HTML)
}

function item({ subject, body, from, created_at, entry }: InboxMessage): Html {
  // The subject of a push is how its words begin.
  const said = body.startsWith(subject) ? body.slice(subject.length).trim() : body
  const docs = entry?.docs.map(({ path }) => path).join(', ') ?? ''
  const at = html`<time datetime="${created_at}">${created_at.slice(0, 16).replace('T', ' ')} UTC</time>`
  return html`<li><h2 dir="auto">${subject}</h2>
<p class="from">${from.replace(/^agent:/, '')} · ${at}</p>
${said === '' ? [] : html`<p class="said" dir="auto">${said.slice(0, 600)}</p>`}${docs === '' ? [] : html`<p class="from">${docs}</p>`}</li>`
}

function connecting({ url, auth, stores }: Site, { id, place }: Served): Html {
  const db = shellWord(place)
  // A name alone does not say in which of several stores it is.
  const [alone, beside] = stores.length > 1 ? [`?store=${id}`, `&store=${id}`] : ['', '']
  const install = `inbox install claude --as NAME --url ${shellWord(`${url}/mcp${alone}`)}`
  const how =
    auth === 'local'
      ? html`<p>In the folder of its project, with a name for it and its program (claude, codex, gemini, …):</p><pre>${install}</pre>
<p>Any other client of MCP: <code>${url}/mcp?agent=NAME${beside}</code></p>`
      : html`<p>Make a token for it, and give its program the token and the address:</p><pre>inbox token issue NAME --db ${db}</pre>
<p>Any client of MCP: <code>${url}/mcp</code>, with the header <code>Authorization: Bearer TOKEN</code></p>`
  return html`<section><h2>Connect an agent</h2>
${how}
<p>Programs use <a href="/api/openapi.json">the HTTP API</a>.</p></section>`
}
