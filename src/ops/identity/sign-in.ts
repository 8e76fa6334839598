import { personId, USER } from '../../core/agents/agent.ts'
import { field, quote, refuse } from '../../core/error.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { endOf, mustBeOwnPerson, mustBeUnlimited, mustKnowPerson } from '../agents/known-person.ts'
import { type AnswerOf, aText, CURSOR, maybe, orNull } from '../kit/answer.ts'
import { flag, name, text } from '../kit/field.ts'
import { type Context, mutation, PEOPLE } from '../kit/operation.ts'
import { CODE_SECONDS, makeCode, SESSION_SECONDS } from './identify.ts'
import { issue } from './token-issue.ts'

const SIGN_IN = {
  person: aText('the person who signs in'),
  code: orNull(aText('works once, within ten minutes; null for a retry')),
  link: orNull(aText('the code as a link, if the server is known')),
  expires_at: aText('until when'),
  next_event_id: CURSOR,
  warning: maybe(aText('set if no server answers there, or no browser was opened')),
}

export type SignIn = AnswerOf<typeof SIGN_IN>

export const signIn = mutation({
  name: 'sign-in',
  example: 'sign-in',
  summary: 'Create a link to sign in with a browser. It works once, within ten minutes.',
  about:
    'The first browser that presents the code gets a session for 30 days; inbox token list shows the session, inbox token revoke ends it. The link leads to the server that serves this store on this machine, or to the one named with --server.',
  fields: {
    person: name('the person who signs in', { positional: true, leftOut: USER }),
    server: text('the address the server printed when it started', {
      max: 300,
      leftOut: 'the one running on this machine',
    }),
    open: flag('open the link in your browser'),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ person, server }) {
    if (person !== undefined && personId(person) === undefined)
      throw refuse.invalid_input`${quote(person)} cannot be a person's name; write user:NAME`
    if (server !== undefined) linkTo(server, '')
  },
  storeless: {
    async run(): Promise<SignIn> {
      throw refuse.not_found`there is no such store; name the store of the server with ${field('db')}`
    },
  },
  async run(context, input): Promise<SignIn> {
    mustBeUnlimited(context.caller.principal)
    const by = context.caller.agent ?? USER
    const server = input.server ?? (await context.shell?.server.find(context.store.place)) ?? null
    const person = personId(input.person ?? USER) as string
    mustBeOwnPerson(context.caller.principal, person)
    const call = { op: 'sign-in', agent: by, input: { ...input, person } }
    const {
      token: code,
      issued,
      next_event_id,
    } = await issue(
      context,
      call,
      async (tx, now) => {
        const end = await endOf(tx, context.caller.principal)
        if (end !== null && end < plusSeconds(now, CODE_SECONDS + SESSION_SECONDS))
          throw refuse.forbidden`this token ends before a session would; make the sign-in at the shell`
        await mustKnowPerson(tx, person)
        return {
          kind: 'code',
          principal_kind: 'person',
          principal_name: person,
          workspace_id: null,
          sets: [],
          label: '',
          seconds: CODE_SECONDS,
        }
      },
      makeCode,
    )
    const link = code === null || server === null ? null : linkTo(server, code)
    return {
      person,
      code,
      link,
      expires_at: issued.expires_at as Instant,
      next_event_id,
      ...(await unanswered(context, input.server)),
      ...(input.open ? await opened(context, link) : {}),
    }
  },
  answer: SIGN_IN,
  lines: async (answer, page) => (await import('./drawing.ts')).drawSignIn(answer, page),
})

async function unanswered({ shell }: Context, server: string | undefined) {
  if (shell === undefined || server === undefined) return {}
  try {
    await shell.remote.ask(new URL('/healthz', server).href)
    return {}
  } catch {
    return { warning: `nothing answers at ${server}; is the server running?` }
  }
}

async function opened({ shell }: Context, link: string | null) {
  if (link !== null && (await shell?.browse(link))) return {}
  const why =
    link === null
      ? "no server for this store runs here; 'inbox serve --open' starts one and opens its link"
      : 'no browser could be started; open the link yourself'
  return { warning: why }
}

export function linkTo(server: string, code: string): string {
  const [, origin] = /^(https?:\/\/[^\s/?#]+)\/?$/i.exec(server) ?? []
  if (origin !== undefined) return `${origin}/sign-in?code=${code}`
  throw refuse.invalid_input`${field('server')} ${quote(server)} is not an address such as http://127.0.0.1:4001`
}
