import type { JsonSchema } from '../../ops/kit/schema.ts'
import { type Arg, LONGEST_TOOL_WAIT_SECONDS, type Tool } from './tool.ts'

const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }

const THREAD: Arg = { required: true }
const SAID: Record<string, Arg> = {
  summary: { required: true },
  body: {},
  payload_json: { shape: { type: 'object' } },
  artifacts: { shape: TEXTS, paths: true },
}
const TOKEN: Record<string, Arg> = { lease_token: {} }
const WAIT: Record<string, Arg> = {
  timeout_seconds: {
    shape: { type: 'integer', maximum: LONGEST_TOOL_WAIT_SECONDS },
    between: [1, LONGEST_TOOL_WAIT_SECONDS],
    otherwise: LONGEST_TOOL_WAIT_SECONDS,
  },
}

export const THREAD_TOOLS: readonly Tool[] = [
  {
    name: 'thread_send',
    set: 'threads',
    op: 'send',
    does: 'Hand work to an agent: a new thread. With thread: add a message to it.',
    args: {
      to: {},
      thread: {},
      subject: {},
      ...SAID,
      summary: {},
      kind: { shape: { type: 'string' } },
      priority: {},
      run: {},
      task: {},
    },
  },
  {
    name: 'thread_fetch',
    set: 'threads',
    op: 'fetch',
    does: 'See what work you could claim. Grants nothing.',
    args: { status: { shape: TEXTS }, unread: {}, limit: {} },
    nothing: 'Nothing to claim. Wait with thread_watch.',
  },
  {
    name: 'thread_claim',
    set: 'threads',
    op: 'claim',
    does: 'Take work before you do any of it: the best for you, or this thread. Keep the lease token.',
    args: { thread: {}, lease_seconds: {}, ...TOKEN },
    nothing: 'Nothing to claim. Wait with thread_watch.',
  },
  {
    name: 'thread_renew',
    set: 'threads',
    op: 'renew',
    does: 'Keep your lease during long work, well before expires_at.',
    args: { thread: THREAD, lease_seconds: {}, ...TOKEN },
  },
  {
    name: 'thread_update',
    set: 'threads',
    op: 'update',
    does: 'Report progress; or blocked, with your question as summary, then thread_wait_reply.',
    args: { thread: THREAD, status: { required: true }, ...SAID, ...TOKEN },
  },
  {
    name: 'thread_reply',
    set: 'threads',
    op: 'reply',
    does: 'Answer a question in a thread; its worker goes on.',
    args: { thread: THREAD, ...SAID, kind: {}, to: {} },
  },
  {
    name: 'thread_done',
    set: 'threads',
    op: 'done',
    does: 'Finish work you hold, with its result.',
    args: { thread: THREAD, ...SAID, ...TOKEN },
  },
  {
    name: 'thread_fail',
    set: 'threads',
    op: 'fail',
    does: 'Give up work you hold, saying why.',
    args: { thread: THREAD, ...SAID, ...TOKEN },
  },
  {
    name: 'thread_cancel',
    set: 'threads',
    op: 'cancel',
    does: 'Stop a thread whose result is no longer wanted.',
    args: { thread: THREAD, reason: {} },
  },
  {
    name: 'thread_list',
    set: 'threads',
    op: 'list',
    does: 'Overview of threads, latest first.',
    args: { agent: {}, status: {}, created_by: {}, assigned_to: {}, before: {}, limit: {} },
  },
  {
    name: 'thread_show',
    set: 'threads',
    op: 'show',
    does: 'Read one thread with all messages.',
    args: { thread: THREAD, mark_read: {}, after: {} },
  },
  {
    name: 'thread_watch',
    set: 'threads',
    op: 'watch',
    does: 'Wait for news on your threads. Repeat with after_event = next_event_id.',
    args: { after_event: {}, status: { shape: TEXTS }, ...WAIT },
    nothing: 'Nothing yet. Call again with after_event = next_event_id.',
  },
  {
    name: 'thread_wait_reply',
    set: 'threads',
    op: 'wait-reply',
    does: 'Wait for the answer to your question; keeps your lease. Repeat until woke.',
    args: {
      thread: THREAD,
      after_event: {},
      after_message: {},
      kinds: { shape: TEXTS },
      ...TOKEN,
      ...WAIT,
    },
    nothing: 'No reply yet. Call again with after_event = next_event_id.',
  },
]
