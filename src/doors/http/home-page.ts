// The page of somebody who is signed in: unread items, and how to connect an agent. Looking at it changes
// nothing.

import { shellWord } from '../../core/shell-word.ts'
import { call } from '../../ops/call.ts'
import type { WorkspaceView } from '../../ops/identity/workspace-view.ts'
import type { Inbox } from '../../ops/inbox/inbox.ts'
import type { InboxMessage } from '../../ops/inbox/mail-view.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { HttpRefusal, text } from './answer.ts'
import { whoCalls } from './identity.ts'
import { HTML, type Html, html, page } from './page.ts'
import type { HttpCall } from './route.ts'
import { howTo } from './sign-in.ts'
import type { ServedStore, Site } from './site.ts'

/** How many items the page shows; the shell shows all of them. */
const SHOWN = 20

export async function homePage(asked: HttpCall): Promise<Response> {
  const { site, request, url } = asked
  let why = 'This browser is not signed in.'
  const known = await whoCalls(site, asked).catch((error) => {
    if (!(error instanceof HttpRefusal)) throw error
    why = 'Your session is over: it was ended, or is more than thirty days old.'
    return null
  })
  if (known === null || known.principal.kind === 'agent') {
    // A browser that follows a link from another site sends no cookie. It does when it reloads from this
    // page.
    if (request.headers.get('sec-fetch-site') === 'cross-site') {
      return text(page({ title: 'One moment', parts: [], onTo: `/${url.search}` }), HTML)
    }
    return text(page({ title: 'Sign in', parts: [html`<p>${why}</p>`, howTo(site)] }), HTML, 401)
  }
  const { served, principal } = known
  const ask = async <T>(name: string, raw: object): Promise<T> => {
    const op = await operationNamed(name)
    const want = { op, principal, raw: { ...raw }, door: 'http' as const, signal: request.signal }
    return (await call(served.house, want)).result as T
  }
  const { messages, unread } = await ask<Inbox>('mail peek', { newest: true, limit: SHOWN })
  const { workspaces } = principal.sets
    ? { workspaces: [] }
    : await ask<{ workspaces: WorkspaceView[] }>('workspace list', {})
  const more = unread - messages.length
  const read = `${site.program} mail read --agent ${principal.name} --db ${shellWord(served.place)}`
  const parts = [
    unread === 0
      ? html`<p>Pushes and messages from agents appear here.</p>`
      : html`<ol>${messages.map(item)}</ol>`,
    ...(more > 0 ? [html`<p>And ${more} more.</p>`] : []),
    html`<p>Read and answer in a shell:</p><pre>${read}</pre>`,
    connecting(site, served, workspaces),
  ]
  const corner = html`<span>${principal.name}</span>
<form method="post" action="/sign-out"><button>Sign out</button></form>`
  const title = unread === 0 ? 'Nothing unread' : `${unread} unread`
  return text(page({ title, parts, corner }), HTML)
}

function item({ subject, body, from, created_at, entry, imported_by }: InboxMessage): Html {
  // The subject of a push is the beginning of its text, so it is not shown twice.
  const said = body.startsWith(subject) ? body.slice(subject.length).trim() : body
  const docs = entry?.docs.map(({ path }) => path).join(', ') ?? ''
  const at = html`<time datetime="${created_at}">${created_at.slice(0, 16).replace('T', ' ')} UTC</time>`
  const about = [
    from.replace(/^agent:/, ''),
    entry?.workspace_label ?? '',
    entry?.form === 'notification' ? 'notification' : '',
    // The name of the writer is then only what the imported file says.
    imported_by === undefined ? '' : `imported by ${imported_by}`,
  ].filter((word) => word !== '')
  return html`<li><h2 dir="auto">${subject}</h2>
<p class="from">${about.join(' · ')} · ${at}</p>
${said === '' ? [] : html`<p class="said" dir="auto">${said.slice(0, 600)}</p>`}${docs === '' ? [] : html`<p class="from">${docs}</p>`}</li>`
}

function connecting(
  { url, auth, stores, program }: Site,
  { id, place }: ServedStore,
  workspaces: readonly WorkspaceView[],
): Html {
  const db = shellWord(place)
  const isLocal = auth === 'local'
  // With several stores an agent's name alone does not say which one is meant; a workspace and a token do.
  const [alone, beside] = isLocal && stores.length > 1 ? [`?store=${id}`, `&store=${id}`] : ['', '']
  const install = (address: string) =>
    isLocal
      ? `${program} install claude --as NAME --url ${shellWord(address)}`
      : `${program} install claude --url ${address} --token-variable INBOX_TOKEN`
  const first = isLocal ? [] : [`${program} token issue NAME --db ${db}`]
  const places = [
    `${program} workspace add . --db ${db}`,
    isLocal
      ? install(`${url}/mcp/WORKSPACE`)
      : `${program} token issue NAME --workspace WORKSPACE --db ${db}`,
  ]
  const other = isLocal
    ? html`<code>${url}/mcp?agent=NAME${beside}</code>`
    : html`<code>${url}/mcp</code>, with the header <code>Authorization: Bearer TOKEN</code>`
  const known = workspaces.map(
    ({ label, workspace_id }) => html`<li>${label}: <code>${workspace_id}</code></li>`,
  )
  return html`<section><h2>Connect an agent</h2>
<p>In its project folder, with a name and its program (claude, codex, gemini, …):</p>
<pre>${[...first, install(`${url}/mcp${alone}`)].join('\n')}</pre>
<p>It can read and send mail, take work and push comments. To let it push files too, make its folder a workspace:</p>
<pre>${places.join('\n')}</pre>
${known.length === 0 ? [] : html`<ul>${known}</ul>`}
<p>Any other MCP client: ${other}</p>
<p>Programs use <a href="/api/openapi.json">the HTTP API</a>.</p></section>`
}
