import { type AnswerOf, aFlag } from '../kit/answer.ts'
import { id, required, self } from '../kit/field.ts'
import { PEOPLE, query } from '../kit/operation.ts'
import { RESUME, resumeOf } from './push-resume.ts'

const OPEN_ANSWER = { ...RESUME, opened: aFlag('whether a terminal was started') }

export type OpenAnswer = AnswerOf<typeof OPEN_ANSWER>

export const open = query({
  name: 'open',
  example: 'open 3f2a9c1e',
  summary: 'Resume the session that a push came from.',
  about:
    'Starts the terminal in INBOX_TERMINAL (a program and its arguments, such as "kitty" or "gnome-terminal --") in the session’s folder, with the command that resumes the session. Without INBOX_TERMINAL, prints that command. Exits with 40 if the session is not known. At a server only the owner’s page may use it, and it starts a terminal only if no other machine can reach the server.',
  fields: {
    agent: self('the person opening it', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
  },
  set: 'none',
  callers: PEOPLE,
  opensWindow: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  async run(context, input): Promise<OpenAnswer> {
    const { store, terminal } = context
    const resume = await resumeOf(context, input)
    if (resume.argv !== null && terminal !== undefined) {
      await terminal(resume.argv, resume.folder ?? undefined)
    }
    const opened = resume.argv !== null && terminal !== undefined
    return { ...resume, opened, next_event_id: await store.lastEventId() }
  },
  verdict: ({ state }) => (state === 'unknown' ? 'not_found' : undefined),
  answer: OPEN_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawOpened(answer, page),
})
