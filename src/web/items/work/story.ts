// The messages of a thread say how its question stands: open, answered, or no longer needed.

import type { OperationAnswer } from '../../../ops/typed-call.ts'

type ShownWork = OperationAnswer<'show'>
export type WorkThread = ShownWork['thread']
export type WorkLease = ShownWork['lease']
export type WorkMessage = ShownWork['messages'][number]

export type OpenQuestion = {
  question: WorkMessage
  state: 'open' | 'answered' | 'superseded'
  answer: WorkMessage | undefined
}

/** The latest question of the worker. The one before it has been answered, or the worker asks something else now. */
export function questionIn(
  thread: WorkThread,
  messages: readonly WorkMessage[],
): OpenQuestion | undefined {
  const question = messages.findLast(({ kind }) => kind === 'question')
  if (question === undefined) return undefined
  const answer = messages.findLast((one) => answers(one, question))
  if (answer !== undefined) return { question, state: 'answered', answer }
  return { question, state: thread.status === 'blocked' ? 'open' : 'superseded', answer: undefined }
}

function answers(one: WorkMessage, question: WorkMessage): boolean {
  if (one.kind !== 'answer' || one.seq < question.seq) return false
  if (one.from_agent === question.from_agent) return false
  return one.in_reply_to === undefined || one.in_reply_to === question.message_id
}

/** Whether a later question took its place before anybody answered it. */
export function isSuperseded(one: WorkMessage, messages: readonly WorkMessage[]): boolean {
  if (one.kind !== 'question') return false
  const isLatest = !messages.some(({ kind, seq }) => kind === 'question' && seq > one.seq)
  return !isLatest && !messages.some((answer) => answers(answer, one))
}

const MOST_OPTIONS = 9

/** The answers that a worker offers with its question: the texts in `options` of its data. */
export function optionsIn({ payload_json: data }: WorkMessage): string[] {
  if (typeof data !== 'object' || data === null || !('options' in data)) return []
  const { options } = data
  if (!Array.isArray(options)) return []
  const texts = options.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return [...new Set(texts)].slice(0, MOST_OPTIONS)
}
