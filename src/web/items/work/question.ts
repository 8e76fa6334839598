// Finds the worker's question in the messages of a thread, and whether it's open, answered or no longer needed.

import type { OperationAnswer } from '../../../ops/catalogue.ts'

type ShownWork = OperationAnswer<'show'>
export type WorkThread = ShownWork['thread']
export type WorkLease = ShownWork['lease']
export type WorkMessage = ShownWork['messages'][number]

export type OpenQuestion = {
  question: WorkMessage
  state: 'open' | 'answered' | 'superseded'
  answer: WorkMessage | undefined
}

/** The worker's latest question. Earlier ones are answered or replaced by it. */
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

/** Whether a later question replaced it before anyone answered it. */
export function isSuperseded(one: WorkMessage, messages: readonly WorkMessage[]): boolean {
  if (one.kind !== 'question') return false
  const isLatest = !messages.some(({ kind, seq }) => kind === 'question' && seq > one.seq)
  return !isLatest && !messages.some((answer) => answers(answer, one))
}

const MOST_OPTIONS = 9

/** The answers the worker offers: the texts under `options` in the question's data. */
export function optionsIn({ payload_json: data }: WorkMessage): string[] {
  if (typeof data !== 'object' || data === null || !('options' in data)) return []
  const { options } = data
  if (!Array.isArray(options)) return []
  const texts = options.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return [...new Set(texts)].slice(0, MOST_OPTIONS)
}
