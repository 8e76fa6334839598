// The fields that hold ids, each with the pattern of a full id. Every command loads this, so it's small; short ids
// are resolved in short-ids.ts.

import type { Fields } from './field.ts'

const ENTRY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const THREAD = /^((thr|req)_\w{26}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/
const MESSAGE = /^msg_\w{26}$/

const WHOLE = {
  thread: THREAD,
  threads: THREAD,
  around: THREAD,
  entry: ENTRY,
  entries: ENTRY,
  request: /^req_\w{26}$/,
  message: MESSAGE,
  messages: MESSAGE,
  in_reply_to: MESSAGE,
  after_message: MESSAGE,
  agent_run: /^agr_\w{26}$/,
  workspace: /^ws_\w{26}$/,
}
export type IdField = keyof typeof WHOLE

/** Checks the kind too: a field with one of these names can also hold plain text, such as notify's message. */
export function isIdField(key: string, fields: Fields): key is IdField {
  const kind = fields[key]?.kind
  return (kind === 'id' || kind === 'list') && Object.hasOwn(WHOLE, key)
}

/** Whether any id in the input is shortened, or is of a different kind than its field expects. */
export function hasShortId(fields: Fields, input: object): boolean {
  return Object.entries(input).some(
    ([key, value]) => isIdField(key, fields) && [value].flat().some((id) => !WHOLE[key].test(id)),
  )
}
