// The fields that hold ids, each with the form of a whole id in it. Loaded with every command, so it is small: what a
// short id means is elsewhere (short-ids.ts).

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

export function isIdField(key: string): key is IdField {
  return Object.hasOwn(WHOLE, key)
}

/** Whether some id in the input is not whole, or of another kind than its field wants. */
export function hasShortId(input: object): boolean {
  return Object.entries(input).some(
    ([key, value]) => isIdField(key) && [value].flat().some((id) => !WHOLE[key].test(id)),
  )
}
