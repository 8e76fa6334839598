import type { Tool } from './tool.ts'

export const WORKSPACE_TOOLS: readonly Tool[] = [
  {
    name: 'inbox_push',
    set: 'workspace',
    op: 'push',
    does: "Show the user something in their inbox. Push when work they asked for is finished (docs: the result's files), when you are blocked on a decision only they can make (comments: the question), or now and then to report on a long job. Never push intermediate steps, scratch or debug output. At least one of docs and comments.",
    args: {
      docs: {
        shape: {
          type: 'array',
          items: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
        about: 'files, relative to the workspace; shown live, not copied',
      },
      comments: { about: 'Markdown, to the user' },
    },
  },
  {
    name: 'inbox_read',
    set: 'workspace',
    op: 'push history',
    does: 'See what was pushed from this workspace, newest first, before you push the same again; and whether there are replies.',
    args: {
      self: { field: 'from', isMe: true, about: 'only yours' },
      before: { about: 'next_before of the page before' },
      limit: { otherwise: 20 },
    },
    nothing: 'Nothing was pushed from here yet.',
  },
  {
    name: 'inbox_show',
    set: 'workspace',
    op: 'push show',
    does: 'Read one push with what the user replied.',
    args: { entry: { required: true } },
  },
  {
    name: 'notify_user',
    set: 'workspace',
    op: 'notify',
    does: 'Deprecated, for older automation: use inbox_push. Shows the user a text that never changes.',
    args: { message: { required: true } },
  },
]
