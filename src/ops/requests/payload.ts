// The payload of a request. It's stored verbatim in the message of its revision, together with the consequence.

import { field, operation, refuse } from '../../core/error.ts'
import { canonicalText, isObject, type Json } from '../../core/json.ts'
import { faultOf } from '../../core/requests/request-types.ts'
import { readStored } from '../../core/shallow.ts'
import type { Words } from '../../core/threads/message.ts'
import type { Context } from '../kit/operation.ts'

export type Revision = {
  title: string
  description: string
  consequence: string
  /** JSON, exactly as given. */
  payload: string
}

export function wordsOf({ title, description, consequence, payload }: Revision): Words {
  return {
    summary: title,
    body: description,
    payload_json: `{"consequence":${JSON.stringify(consequence)},"payload":${payload}}`,
  }
}

/** The maximum size of a payload. The field's limit counts characters instead, which can take several bytes each. */
const MOST_BYTES = 1_048_576

/** Refuses a payload that is too long, isn't an object, or doesn't fit its type. */
export function mustBeOfType(type: string, payload: string): void {
  const bytes = new TextEncoder().encode(payload).length
  if (bytes > MOST_BYTES)
    throw refuse.invalid_input`${field('payload')} has ${bytes} bytes; at most ${MOST_BYTES} fit: name a file in it, by its digest`
  const value = JSON.parse(payload) as Json
  const fault = isObject(value) ? faultOf(type, value) : 'payload is not a JSON object'
  if (fault === null) return
  throw refuse.invalid_input`a request of type ${{ type }} with this ${field('payload')}: ${fault}; see ${operation('request types')}`
}

export function payloadIn(payload_json: string): { payload: Json; consequence: string } {
  const stored = readStored(payload_json) as { payload?: Json; consequence?: string } | null
  return { payload: stored?.payload ?? {}, consequence: stored?.consequence ?? '' }
}

/** Joins two JSON objects without parsing them, so that numbers stay exactly as given. */
export function withMembers(object: string, more: string): string {
  const [head, tail] = [object.trimEnd().slice(0, -1), more.trimStart().slice(1)]
  const isEmpty = head.trim() === '{' || tail.trim() === '}'
  return `${head}${isEmpty ? '' : ','}${tail}`
}

export async function digestOf({ digest }: Pick<Context, 'digest'>, payload: string) {
  return digest(canonicalText(JSON.parse(payload) as Json))
}
