import { isBrowser } from '../../core/principal.ts'
import { shellWord } from '../../core/shell-word.ts'
import { json, text } from './answer.ts'
import { streamEvents } from './events-route.ts'
import { GRAPHQL_ROUTE } from './graphql-route.ts'
import { answerHealth, answerMetrics, answerReady } from './health.ts'
import type { HttpServer, ServedStore } from './http-server.ts'
import { INBOX_ROUTES } from './inbox-routes.ts'
import { speakMcp } from './mcp-route.ts'
import { runOperation } from './ops-route.ts'
import { STYLE_SHEET } from './page.ts'
import type { Route } from './route.ts'
import { signIn, signInPage, signOut } from './sign-in.ts'
import { buildOf, WEB_ROUTES } from './web-app.ts'

const TEXT = { type: 'string' }

const MCP_ANSWERS = { 200: 'The answer, or a stream of events with it.', 202: 'Taken note of.' }
const MCP_NO_STREAM = { 405: 'Only posts are answered.' }

/** Only POST carries the protocol; the older protocol version requires the other methods to be refused. */
function mcpRoutes(path: string, about: string): Route[] {
  const query = {
    sets: { ...TEXT, description: 'only these sets of tools, separated by commas' },
    agent: { ...TEXT, description: 'as this agent, where a name is believed' },
  }
  return (['POST', 'GET', 'DELETE'] as const).map((method) => {
    const answers = method === 'POST' ? MCP_ANSWERS : MCP_NO_STREAM
    return { method, path, who: 'known', about, query, answers, run: speakMcp }
  })
}

const LISTENING = { 200: 'A stream of notifications.' }

/** The workflow tools, for the agents of one instance. In the older protocol version, clients listen with GET. */
function toolRoutes(path: string, instance?: string): Route[] {
  const about = 'Tools of a workflow, for the agents of one instance, over MCP.'
  const query = { agent: { ...TEXT, description: 'as this agent, where a name is believed' } }
  const which = instance === undefined ? {} : { instance }
  return (['POST', 'GET', 'DELETE'] as const).map((method) => {
    const answers = { POST: MCP_ANSWERS, GET: LISTENING, DELETE: MCP_NO_STREAM }[method]
    return { method, path, who: 'member', ...which, about, query, answers, run: speakMcp }
  })
}

/** All routes of an instance server. `store` lets another runner check whether it uses the same store. */
export function instanceRoutes(instance: string, store: string): Route[] {
  return [
    ...toolRoutes('/mcp', instance),
    ...toolRoutes('/mcp/*', instance),
    {
      method: 'GET',
      path: '/healthz',
      who: 'anyone',
      about: 'Whether the runner of the instance is up.',
      run: (asked) => answerHealth(asked, { instance, store }),
    },
  ]
}

/** The description is long and the same for all callers, so it's made once. */
let description: string | undefined

async function describeAll(version: string): Promise<string> {
  const { openApi } = await import('./openapi.ts')
  return `${JSON.stringify(await openApi(ROUTES, version))}\n`
}

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/ops/:name',
    who: 'known',
    about: 'Runs one operation of the catalogue.',
    run: runOperation,
  },
  {
    method: 'GET',
    path: '/api/events',
    who: 'known',
    about:
      'The log as it grows, as server-sent events; the id of each is its cursor. Continues after Last-Event-ID or ?after=, or else starts now. An event named reset means that this was not possible: fetch the current state and continue from next_event_id.',
    gives: 'text/event-stream',
    query: {
      after: { type: 'integer', minimum: 0, description: 'resume after this event' },
      ago_ms: {
        type: 'integer',
        minimum: 0,
        maximum: 60_000,
        description: 'without a cursor: begin with what happened in the last so many milliseconds',
      },
      types: { ...TEXT, description: 'only these event types, separated by commas' },
      thread: { ...TEXT, description: 'only this thread' },
      agent: { ...TEXT, description: 'only what happens to threads of this agent, by others' },
      workspace: { ...TEXT, description: 'only pushes from this workspace' },
    },
    run: streamEvents,
  },
  ...mcpRoutes('/mcp', 'Tools for an agent, over MCP.'),
  ...mcpRoutes('/mcp/:workspace', 'Tools for agents of one workspace, over MCP.'),
  ...toolRoutes('/mcp/instance/:instance'),
  ...INBOX_ROUTES,
  GRAPHQL_ROUTE,
  {
    method: 'GET',
    path: '/api/me',
    who: 'known',
    about: 'Who you are here.',
    run: async ({ principal, served, server }) => {
      const { program, version } = server
      const connect = makeConnectCommands(server, served)
      // Only a page can be from a different build than the server.
      const build = isBrowser(principal) ? { app: await buildOf(server) } : {}
      const db = shellWord(served.place)
      const store = served.id
      return json({ ok: true, principal, store, db, program, version, connect, ...build })
    },
  },
  {
    method: 'GET',
    path: '/api/openapi.json',
    who: 'anyone',
    about: 'This description.',
    run: async ({ server }) => {
      description ??= await describeAll(server.version)
      return text(description, 'application/json')
    },
  },
  {
    method: 'GET',
    path: '/healthz',
    who: 'anyone',
    about: 'Whether the process is up.',
    run: (asked) => answerHealth(asked),
  },
  {
    method: 'GET',
    path: '/readyz',
    who: 'anyone',
    about: 'Whether every store accepts writes.',
    answers: { 200: 'Every one does.', 503: 'One does not, or the server is stopping.' },
    run: answerReady,
  },
  {
    method: 'GET',
    path: '/metrics',
    who: 'anyone',
    about:
      'Metrics in Prometheus format. With --auth tokens, only people and services get them, for their own store.',
    gives: 'text/plain',
    run: answerMetrics,
  },
  ...WEB_ROUTES,
  {
    method: 'GET',
    path: '/style.css',
    who: 'anyone',
    about: 'The style sheet of the pages.',
    gives: 'text/css',
    run: async () => text(STYLE_SHEET, 'text/css; charset=utf-8'),
  },
  {
    method: 'GET',
    path: '/sign-in',
    who: 'anyone',
    about: 'Asks whether to sign in with the code of a link.',
    gives: 'text/html',
    query: { code: { ...TEXT, description: 'works once, within ten minutes' } },
    answers: {
      200: 'A button to press.',
      303: 'This browser is signed in already.',
      401: 'The code was used, or is too old.',
    },
    run: signInPage,
  },
  {
    method: 'POST',
    path: '/sign-in',
    who: 'anyone',
    about: 'Exchanges the code for a session of this browser.',
    gives: 'text/html',
    answers: { 303: 'Signed in.', 401: 'The code was used, or is too old.' },
    run: signIn,
  },
  {
    method: 'POST',
    path: '/sign-out',
    who: 'anyone',
    about: 'Ends the session of this browser.',
    answers: { 303: 'Signed out.' },
    run: signOut,
  },
]

/** Shell commands that connect an agent, to be run on the server's machine. The reader fills in NAME and WORKSPACE. */
type ConnectCommands = {
  /** Connects an agent for mail, work and comments, without files. */
  agent: string[]
  /** Connects an agent that can also push files from a folder. */
  workspace: string[]
  /** Connects an agent for both, from its project folder. The reader fills in nothing except a token, if required. */
  here: string[]
}

function makeConnectCommands(
  { url, auth, stores, program }: HttpServer,
  { id, place }: ServedStore,
): ConnectCommands {
  const db = shellWord(place)
  const isLocal = auth === 'local'
  // With several stores, an agent's name alone doesn't identify one. A workspace or a token does.
  const alone = isLocal && stores.length > 1 ? `?store=${id}` : ''
  const install = (address: string) =>
    isLocal
      ? `${program} install claude --as NAME --url ${shellWord(address)}`
      : `${program} install claude --url ${address} --token-variable INBOX_TOKEN`
  const add = `${program} workspace add . --db ${db}`
  const agent = [
    ...(isLocal ? [] : [`${program} token issue NAME --db ${db}`]),
    install(`${url}/mcp${alone}`),
  ]
  return {
    agent,
    // Without --url, the agent's program starts inbox, which pushes from that program's current folder.
    here: isLocal ? [add, `${program} install claude --db ${db}`] : [add, ...agent],
    workspace: [
      add,
      isLocal
        ? install(`${url}/mcp/WORKSPACE`)
        : `${program} token issue NAME --workspace WORKSPACE --db ${db}`,
    ],
  }
}
