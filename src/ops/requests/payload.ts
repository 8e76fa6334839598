// The payload of a request, kept word for word inside the message of its revision, beside the sentence that says
// what follows from it.

import { refuse } from '../../core/error.ts'
import { canonicalText } from '../../core/requests/canonical.ts'
import { isObject, type Json } from '../../core/requests/json.ts'
import { field, sentence } from '../../core/sentence.ts'
import { readStored } from '../../core/shallow.ts'
import type { Words } from '../../core/threads/message.ts'
import type { Context } from '../kit/operation.ts'

export type Revision = {
  title: string
  description: string
  consequence: string
  /** JSON, as it was given. */
  payload: string
}

export function wordsOf({ title, description, consequence, payload }: Revision): Words {
  return {
    summary: title,
    body: description,
    payload_json: `{"consequence":${JSON.stringify(consequence)},"payload":${payload}}`,
    artifacts: [],
  }
}

export function checkPayload(payload: string | undefined): void {
  if (payload === undefined || isObject(JSON.parse(payload) as Json)) return
  throw refuse('invalid_input', sentence`${field('payload')} must be a JSON object`)
}

export function payloadIn(payload_json: string): { payload: Json; consequence: string } {
  const stored = readStored(payload_json) as { payload?: Json; consequence?: string } | null
  return { payload: stored?.payload ?? {}, consequence: stored?.consequence ?? '' }
}

export async function digestOf({ digest }: Pick<Context, 'digest'>, payload: string) {
  return digest(canonicalText(JSON.parse(payload) as Json))
}
