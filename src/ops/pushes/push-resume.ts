import type { ClientName } from '../../core/clients/client.ts'
import { storedOrigin } from '../../core/pushes/push.ts'
import { shellWord } from '../../core/shell-word.ts'
import { aList, aText, CURSOR, fieldsOf, orNull } from '../kit/answer.ts'
import { id, required, self } from '../kit/field.ts'
import { type Context, PEOPLE, query } from '../kit/operation.ts'
import { personLooking, visiblePush } from './push-view.ts'

export type Resume = {
  entry_id: string
  /** `unknown`: the push doesn't say which session it came from. */
  state: 'known' | 'unknown'
  why: string
  backend: ClientName | null
  folder: string | null
  argv: string[] | null
  /** `argv` as a shell command, ready to copy. */
  shell: string | null
}

export const RESUME = fieldsOf<Resume & { next_event_id: number }>({
  entry_id: aText('the push'),
  state: aText('known or unknown'),
  why: aText('in words'),
  backend: orNull(aText('the program')),
  folder: orNull(aText('the folder to run it in')),
  argv: orNull(aList(aText('a word'), 'the program and its arguments')),
  shell: orNull(aText('the same as a shell command, ready to copy')),
  next_event_id: CURSOR,
})

const RESUMING: Record<ClientName, (session: string) => string[]> = {
  claude: (session) => ['claude', '--resume', session],
  codex: (session) => ['codex', 'resume', session],
  cursor: (session) => ['cursor-agent', '--resume', session],
  gemini: (session) => ['gemini', '--resume', session],
  opencode: (session) => ['opencode', '--session', session],
}

export const pushResume = query({
  name: 'push resume',
  example: 'push resume 3f2a9c1e',
  summary: 'Show how to resume the session that a push came from.',
  about:
    "Shows the command of the agent's own program, and the folder to run it in. If the session is unknown, it says so instead.",
  fields: {
    agent: self('the person asking', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
  },
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  run: async (context, input): Promise<Resume & { next_event_id: number }> => ({
    ...(await resumeOf(context, input)),
    next_event_id: await context.store.lastEventId(),
  }),
  answer: RESUME,
  lines: async (answer, page) => (await import('./drawing.ts')).drawResume(answer, page),
})

export async function resumeOf(
  context: Context,
  input: { agent?: string | undefined; entry: string },
): Promise<Resume> {
  const viewer = personLooking(context, input.agent)
  const item = await visiblePush(context.store, input.entry, viewer)
  const { backend, session, folder } = storedOrigin(item.payload_json)
  const entry_id = input.entry
  if (backend === undefined || session === undefined) {
    const what = backend === undefined ? 'which program' : `which session of ${backend}`
    const why = `it is not known ${what} it came from; answer with 'inbox push reply ${entry_id}'`
    const known = { backend: backend ?? null, folder: folder ?? null }
    return { entry_id, state: 'unknown', why, ...known, argv: null, shell: null }
  }
  const argv = RESUMING[backend](session)
  const words = argv.map(shellWord).join(' ')
  const shell = folder === undefined ? words : `cd ${shellWord(folder)} && ${words}`
  const why = `${item.from_agent} pushed it from a session of ${backend}`
  return { entry_id, state: 'known', why, backend, folder: folder ?? null, argv, shell }
}
