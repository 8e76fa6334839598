import { field, quote, refuse } from '../../core/error.ts'
import { AUTHS, isLoopback, type ServerAddress, type ServerWish } from '../../core/server/server.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { byDefault, choice, flag, type Input, int, list, path, text } from '../kit/field.ts'
import { OPERATORS } from '../kit/operation.ts'
import { command, type Shell } from '../kit/shell.ts'
import { variablesIn, WAKE_ENV } from '../waking/wake-env.ts'

const HOST = '127.0.0.1'

const FIELDS = {
  host: byDefault(text('the address to listen on', { max: 255 }), HOST),
  port: int('the port; 0 takes any free one', {
    max: 65_535,
    leftOut: "the store's usual one, the same at every start, or another if it is taken",
  }),
  socket: path('the Unix socket; none for no socket', {
    leftOut: 'one per store, in a private folder',
  }),
  auth: byDefault(
    choice(
      AUTHS,
      'local: trust the names that agents on this machine give; tokens: callers need a token, a session or the socket',
    ),
    'local',
  ),
  allow_hosts: list('another host name of the server, for example behind a proxy', {
    max: 20,
  }),
  log: byDefault(
    choice(
      ['requests', 'problems'],
      'what to log on standard error, as JSON lines; a terminal gets a line of text for each event',
    ),
    'problems',
  ),
  open: flag('open the link in your browser'),
  no_wake: flag('do not start agents'),
  ...WAKE_ENV,
  dev: flag('also offer routes that only developers of clients need'),
  demo: flag('serve a temporary store with a made-up team of agents at work'),
}

export const serve = command({
  name: 'serve',
  example: 'serve --open',
  summary:
    'Serve the store to agents (MCP), programs (HTTP) and a browser. Runs until interrupted.',
  about:
    'Prints its address and a sign-in link, which works once, within ten minutes; inbox sign-in makes another. Listens only on this machine, unless --host says otherwise; then callers need tokens (--auth tokens, see inbox token). Starts sleeping agents when mail comes, lets leases and mail lapse, and removes old work and mail, as wake run, sweep and prune do. --db may be given more than once: the stores stay separate, and a token belongs to one store. On a signal, the server finishes open calls and stops; agents that it started keep running.',
  fields: FIELDS,
  writes: 'store',
  callers: OPERATORS,
  blocks: true,
  lasts: true,
  refusals: ['invalid_input', 'invalid_state'],
  check({ host = HOST, auth = 'local', allow_hosts = [], wake_env }) {
    variablesIn(wake_env)
    if (auth === 'tokens') return
    if (allow_hosts.length > 0)
      throw refuse.invalid_input`under the name ${quote(allow_hosts[0] ?? '')} callers may come from other machines, where a name proves nothing; add ${field('auth')} tokens`
    if (isLoopback(host)) return
    throw refuse.invalid_input`${field('host')} ${host} can be reached from other machines, where a name proves nothing; add ${field('auth')} tokens`
  },
  storeless: {
    when: ({ demo }) => demo ?? false,
    makes: ({ demo }) => !demo,
    async run({ shell, signal }, input) {
      if (shell.named?.by === '--db')
        throw refuse.invalid_input`${field('demo')} has a store of its own, and touches no other; leave out ${field('db')}`
      const { requests } = await shell.server.demo(wishOf(input), {
        signal,
        ...sayingTo(shell, input),
      })
      return { requests, next_event_id: 0 }
    },
  },
  async run({ shell, signal, store }, input) {
    const { requests } = await shell.server.run(wishOf(input), {
      signal,
      ...sayingTo(shell, input),
    })
    return { requests, next_event_id: await store.lastEventId() }
  },
  answer: { requests: aNumber('how many requests were answered'), next_event_id: CURSOR },
  async lines({ requests }) {
    const { count } = await import('../kit/drawing/text.ts')
    return `stopped after ${count(requests, 'request')}\n`
  },
  shellFlags: [
    {
      flag: '--db',
      value: 'PATH|URL',
      about: 'a store to serve; repeatable (default: INBOX_DB, else the nearest .agents/coord.db)',
      repeats: true,
    },
  ],
})

function wishOf(input: Input<typeof FIELDS>): ServerWish {
  return {
    host: input.host,
    port: input.port,
    socket: input.socket,
    auth: input.auth,
    allowHosts: input.allow_hosts ?? [],
    logs: input.log,
    wakes: input.no_wake ? null : variablesIn(input.wake_env),
    isDev: input.dev ?? false,
  }
}

function sayingTo(
  { say, browse }: Pick<Shell, 'say' | 'browse'>,
  { open, demo = false }: { open?: boolean | undefined; demo?: boolean | undefined },
) {
  const tellUnlessOpen = (isOpen: boolean) => {
    if (!isOpen) say({ opened: false }, 'No browser could be started; open the link yourself.')
  }
  return {
    onServing(serving: ServerAddress) {
      say({ serving: true, ...serving }, inWords(serving, demo))
      const link = serving.stores[0]?.sign_in
      if (open && link) void browse(link).then(tellUnlessOpen)
    },
  }
}

function inWords({ url, program, taken_port, stores }: ServerAddress, isDemo: boolean): string {
  const lines = stores.flatMap(({ id, store, sign_in }) => [
    `  store    ${store}`,
    // A single store needs no id to tell it apart.
    ...(stores.length === 1 ? [] : [`  id       ${id}`]),
    ...(sign_in === null ? [] : [`  sign in  ${sign_in}`]),
  ])
  const why =
    taken_port === undefined ? '' : `, because another program has its usual port, ${taken_port}`
  return [
    `Mailroom is at ${url}${why}`,
    ...lines,
    isDemo
      ? '  demo     a made-up team at work; all of it is removed when you stop'
      : `  connect  ${commandOf(program)} install claude (or codex, cursor, gemini, opencode)`,
    'Open the sign-in link within ten minutes. Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** When run from source, the program's command is too long to type. */
function commandOf(program: string): string {
  return program.includes(' ')
    ? "first 'npm run build && npm install -g .' in the checkout, then inbox"
    : program
}
