import { LONGEST_TOOL_WAIT_SECONDS, type Tool } from './tool.ts'

const SECONDS = { type: 'integer', maximum: LONGEST_TOOL_WAIT_SECONDS }

export const MAILBOX_TOOLS: readonly Tool[] = [
  {
    name: 'read_messages',
    set: 'mailbox',
    op: 'mail read',
    does: 'Read your mail, oldest first. Call it when a turn begins, after each piece of work, and before you end. Unread mail comes again until mark_read. To wait for mail, set timeoutSeconds and repeat with since = next_event_id.',
    args: {
      to: { about: "another's inbox: orchestrator only" },
      since: { about: 'next_event_id of an earlier answer, or an ISO time', orNumber: true },
      unreadOnly: { field: 'all', opposite: true, about: 'default true' },
      limit: {},
      timeoutSeconds: {
        field: 'timeout_seconds',
        shape: SECONDS,
        about: 'block until there is some',
        between: [0, LONGEST_TOOL_WAIT_SECONDS],
      },
    },
    nothing: 'Nothing unread. To wait, call again with timeoutSeconds, and since = next_event_id.',
  },
  {
    name: 'send_message',
    set: 'mailbox',
    op: 'mail send',
    does: 'Write to others: report task-done, ask a question, answer one (inReplyTo), hand out work. Sent is not read: see message_receipts.',
    args: {
      type: { required: true },
      to: {
        about: 'NAME, orchestrator, role:NAME, broadcast, user; may be left out with inReplyTo',
      },
      subject: {},
      body: { required: true },
      metadata: { shape: { type: 'object' } },
      issueId: { field: 'issue' },
      inReplyTo: { field: 'in_reply_to', about: 'id of the message you answer' },
      wait: { about: 'block until it has come so far' },
      timeoutSeconds: {
        field: 'timeout_seconds',
        shape: SECONDS,
        between: [1, LONGEST_TOOL_WAIT_SECONDS],
      },
    },
    nothing: 'It is sent, and has not come so far yet. See message_receipts.',
  },
  {
    name: 'mark_read',
    set: 'mailbox',
    op: 'mail mark-read',
    does: 'Say which messages you have dealt with, once you have: by id, or all.',
    args: { messageIds: { field: 'messages' }, all: {} },
  },
  {
    name: 'message_receipts',
    set: 'mailbox',
    op: 'mail receipts',
    does: 'See whether what you sent was presented, read, acted on, or came back.',
    args: { messageId: { field: 'message' }, threadId: { field: 'thread' }, before: {}, limit: {} },
    nothing: 'You have sent nothing yet.',
  },
  {
    name: 'message_history',
    set: 'mailbox',
    op: 'mail history',
    does: 'Look up what was said earlier, newest first. Changes nothing.',
    args: {
      with: { about: 'an agent or user' },
      type: { shape: { type: 'array', items: { type: 'string' } } },
      threadId: { field: 'thread' },
      text: { about: 'words to find' },
      since: { orNumber: true },
      before: { about: 'next_before of the page before' },
      limit: {},
    },
  },
  {
    name: 'list_agents',
    set: 'mailbox',
    op: 'agent list',
    does: 'See who is there before you address somebody: names, roles, status.',
    args: { role: {}, status: {}, after: {} },
  },
  {
    name: 'register_agent',
    set: 'mailbox',
    op: 'agent register',
    does: 'Make your own role or status known; mail to role:NAME then reaches you.',
    args: { role: {}, status: {} },
  },
]
