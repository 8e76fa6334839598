// The names for kinds of messages, in two vocabularies: one for work threads and one for the mailbox. Only one name is
// stored. Each view shows the name from its vocabulary, and both names are accepted.

export const WORK_KINDS = [
  'task',
  'progress',
  'question',
  'answer',
  'result',
  'control',
  'event',
] as const
export type WorkKind = (typeof WORK_KINDS)[number]

export const MAIL_TYPES = [
  'task-assigned',
  'task-done',
  'review-request',
  'review-result',
  'question',
  'answer',
  'cancel',
  'status',
  'custom',
] as const
export type MailType = (typeof MAIL_TYPES)[number]

/** The stored name, and the name in each view. `event` is bookkeeping and never delivered. */
export const VOCABULARY = {
  task: { kind: 'task', type: 'task-assigned' },
  progress: { kind: 'progress', type: 'status' },
  question: { kind: 'question', type: 'question' },
  answer: { kind: 'answer', type: 'answer' },
  result: { kind: 'result', type: 'task-done' },
  /** A message that tells an agent to stop: mail of type cancel, or the cancellation of a work thread. */
  control: { kind: 'control', type: 'cancel' },
  /** Any other control message; it doesn't stop anyone. Older stores call it `control`. */
  directive: { kind: 'control', type: 'custom' },
  event: { kind: 'event', type: 'status' },
  'review-request': { kind: 'task', type: 'review-request' },
  'review-result': { kind: 'result', type: 'review-result' },
  custom: { kind: 'progress', type: 'custom' },
} as const satisfies Record<string, { kind: WorkKind; type: MailType }>

export type MessageKind = keyof typeof VOCABULARY
export const MESSAGE_KINDS = Object.keys(VOCABULARY) as MessageKind[]

/** The names in both vocabularies. */
export const KIND_WORDS = [...new Set([...WORK_KINDS, ...MAIL_TYPES])]
export type KindWord = WorkKind | MailType

export function kindOf(word: KindWord): MessageKind {
  if (word === 'control') return 'directive'
  if (Object.hasOwn(VOCABULARY, word)) return word as MessageKind
  return MESSAGE_KINDS.find((kind) => VOCABULARY[kind].type === word) as MessageKind
}

/** The kind of a message written in a work thread. A message can't cancel the thread; that takes a move. */
export function workKindOf(word: KindWord): MessageKind {
  return word === 'cancel' ? 'directive' : kindOf(word)
}

/** The names that can be sent as mail, in either vocabulary. `event` is bookkeeping and can't be sent. */
export const MAIL_WORDS = [...MAIL_TYPES, 'task', 'progress', 'result', 'control'] as const

export function typeOf(word: KindWord): MailType {
  return VOCABULARY[kindOf(word)].type
}

/** All stored names that a view shows as one of these. */
export function kindsShownAs(words: readonly KindWord[]): MessageKind[] {
  return MESSAGE_KINDS.filter((kind) => {
    const { kind: work, type } = VOCABULARY[kind]
    return words.includes(work) || (kind !== 'event' && words.includes(type))
  })
}

/** All mailbox types that these names mean, in order. */
export function typesShownAs(words: readonly KindWord[]): MailType[] {
  const types = (word: KindWord) => kindsShownAs([word]).map((kind) => VOCABULARY[kind].type)
  return [...new Set(words.flatMap(types))]
}
