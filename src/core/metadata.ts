// The metadata of each type of message. Additional fields are allowed; required fields must have the right form, and a
// review must name its subject.

import { quote, refuse } from './error.ts'
import type { MailType } from './vocabulary.ts'

const VERDICTS = ['approved', 'changes-requested', 'blocked'] as const

type Form = { is: (value: unknown) => boolean; means: string }

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LIST: Form = { is: isList, means: 'a list of texts' }
const TEXT: Form = { is: isText, means: 'a text' }
const WORDS: Form = { is: (value) => isText(value) || isList(value), means: 'a text or a list' }
const ANYTHING_SAID: Form = {
  is: (value) => isText(value) || isObject(value) || Array.isArray(value),
  means: 'a text, a list or an object',
}
const VERDICT: Form = {
  is: (value) => (VERDICTS as readonly unknown[]).includes(value),
  means: `one of ${VERDICTS.join(', ')}`,
}

const FORMS: Partial<Record<MailType, Record<string, Form>>> = {
  'task-assigned': { context: ANYTHING_SAID },
  'task-done': { files_changed: LIST, tests: ANYTHING_SAID },
  'review-request': { diff: TEXT, files: LIST, criteria: WORDS },
  'review-result': { verdict: VERDICT, comments: ANYTHING_SAID },
}

/** At least one field of each group is required. */
const NEEDED: Partial<Record<MailType, string[][]>> = {
  'review-request': [['diff', 'files'], ['criteria']],
  'review-result': [['verdict']],
}

export function checkMetadata(type: MailType, metadata: unknown): void {
  if (!isObject(metadata))
    throw refuse.invalid_input`metadata ${quoteValue(metadata)} is not an object: write {"name": value}`
  const given = metadata as Record<string, unknown>
  for (const [name, form] of Object.entries(FORMS[type] ?? {})) {
    const value = given[name]
    if (value === undefined || form.is(value)) continue
    throw refuse.invalid_input`metadata ${name} ${quoteValue(value)} of a ${type} is not ${form.means}`
  }
  for (const names of NEEDED[type] ?? []) {
    if (names.some((name) => given[name] !== undefined)) continue
    const forms = names.map((name) => `${name}, ${FORMS[type]?.[name]?.means}`)
    throw refuse.invalid_input`a ${type} needs metadata ${forms.join('; or ')}`
  }
}

/** Text is quoted; any other value is shown as JSON. */
function quoteValue(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value))
}
