// Exposes the person's inbox as resources: the same operations, under the paths and names that inbox clients know.

import { quote, Refusal } from '../../core/error.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { parseEntryLine } from '../../ops/keeping/entry-line.ts'
import type { ImportAnswer } from '../../ops/keeping/import.ts'
import type { Files } from '../../ops/kit/files.ts'
import type { JsonSchema } from '../../ops/kit/schema.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import type { PushHistory } from '../../ops/pushes/push-history.ts'
import type { PushShowAnswer } from '../../ops/pushes/push-show.ts'
import type { EntryView } from '../../ops/pushes/push-view.ts'
import { decline, json } from './answer.ts'
import { readJson } from './body.ts'
import { sendFile, sendPreview } from './file-route.ts'
import { resultOf, withKey } from './ops-route.ts'
import type { IdentifiedCall, Route } from './route.ts'

const TEXT = { type: 'string' }
const ID = { entry: 'id', entries: 'id' }

const ENTRY: JsonSchema = {
  type: 'object',
  description: 'docs, comments, or both',
  properties: {
    id: { ...TEXT, description: 'a new one if left out' },
    ts: { type: 'integer', minimum: 0, description: 'milliseconds since 1970; now if left out' },
    workspaceId: { ...TEXT, description: 'one that is not known is shown as gone' },
    workspaceLabel: { ...TEXT, description: 'what it was called then' },
    docs: {
      type: 'array',
      maxItems: 50,
      items: { type: 'object', properties: { path: TEXT, revision: TEXT }, required: ['path'] },
    },
    comments: { ...TEXT, description: 'Markdown' },
    agent: { ...TEXT, description: "the workspace's own if left out" },
    form: { ...TEXT, enum: ['push', 'notification'] },
  },
}

export const INBOX_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/inbox/history',
    who: 'known',
    about: 'The pushes of agents, newest first.',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'how many to list at most' },
      before: { ...TEXT, description: 'only entries after this one in the list' },
      workspaceId: { ...TEXT, description: 'only from this workspace' },
      trashed: { type: 'boolean', description: 'only those that were put away' },
      unread: { type: 'boolean', description: 'only unread ones' },
      form: { ...TEXT, description: 'push, or notification' },
    },
    names: { workspace: 'workspaceId' },
    run: history,
  },
  {
    method: 'POST',
    path: '/api/inbox/seed',
    who: 'known',
    about: 'Only with --dev: adds an entry as if an agent had pushed it.',
    body: ENTRY,
    answers: { 201: 'Added.', 200: 'It was there already.' },
    run: seed,
  },
  {
    method: 'GET',
    path: '/api/inbox/:id',
    who: 'known',
    about: 'One entry with its replies.',
    names: ID,
    run: show,
  },
  handlingRoute('PUT', '/api/inbox/:id/read', 'push read', 'Marks it as read.'),
  handlingRoute('DELETE', '/api/inbox/:id/read', 'push unread', 'Marks it as unread.'),
  handlingRoute('POST', '/api/inbox/:id/trash', 'push trash', 'Moves it to the trash.'),
  handlingRoute('POST', '/api/inbox/:id/restore', 'push restore', 'Takes it out of the trash.'),
  handlingRoute(
    'DELETE',
    '/api/inbox/:id',
    'push delete',
    'Deletes it forever, including its text.',
  ),
  {
    method: 'POST',
    path: '/api/inbox/:id/reply',
    who: 'known',
    about: 'Answers the agent that pushed it.',
    takesKey: true,
    body: {
      type: 'object',
      properties: { comments: { ...TEXT, description: 'your message' } },
      required: ['comments'],
    },
    names: ID,
    run: async (asked) => {
      const raw = { ...(await readJson(asked)), entry: asked.params.id }
      return answer(asked, 'push reply', raw)
    },
  },
  {
    method: 'GET',
    path: '/api/inbox/:id/resume',
    who: 'known',
    about: "How to resume the agent's session.",
    names: ID,
    run: async (asked) => answer(asked, 'push resume', { entry: asked.params.id }),
  },
  {
    method: 'GET',
    path: '/api/inbox/:id/file',
    who: 'known',
    about:
      'The current content of one of its documents, unchanged. If there is none, JSON with its state instead (missing, gone, special, too_large, unreadable), which is also in the header X-Inbox-State.',
    gives: 'application/octet-stream',
    query: { path: { ...TEXT, description: 'relative to the workspace' } },
    answers: { 200: 'The file, or the state of it.', 304: 'Not modified.' },
    run: sendFile,
  },
  {
    method: 'GET',
    path: '/api/inbox/:id/preview',
    who: 'known',
    about:
      'An HTML document as a page, for a frame of the web app: without scripts, an origin, or anything loaded from elsewhere.',
    gives: 'text/html',
    query: { path: { ...TEXT, description: 'relative to the workspace' } },
    run: sendPreview,
  },
]

function handlingRoute(method: Route['method'], path: string, name: string, about: string): Route {
  const run = (asked: IdentifiedCall) => answer(asked, name, { entries: [asked.params.id] })
  return { method, path, who: 'known', about, takesKey: true, names: ID, run }
}

async function answer(
  asked: IdentifiedCall,
  name: string,
  raw: Record<string, unknown>,
): Promise<Response> {
  const op = await operationNamed(name)
  const given = withKey(op, raw, asked.request.headers)
  return json({ ok: true, command: name, ...(await resultOf(asked, op, given)) })
}

/** The query parameters. `store` was read earlier, to find the store. */
const ASKED = ['limit', 'before', 'workspaceId', 'form', 'trashed', 'unread', 'store']

async function history(asked: IdentifiedCall): Promise<Response> {
  const { searchParams } = asked.url
  const slip = [...searchParams.keys()].find((name) => !ASKED.includes(name))
  if (slip !== undefined) {
    throw decline(400, `there is no filter ${quote(slip)}; there are ${ASKED.join(', ')}`)
  }
  // Forms also send empty fields, which count as absent.
  const one = (name: string) => searchParams.get(name) || undefined
  const isSaid = (name: string) => (one(name) === 'true' || one(name) === '1' ? true : undefined)
  const result = (await resultOf(asked, await operationNamed('push history'), {
    limit: one('limit'),
    before: one('before'),
    workspace: one('workspaceId'),
    form: one('form'),
    trashed: isSaid('trashed'),
    unread: isSaid('unread'),
  })) as PushHistory
  return json({
    ok: true,
    entries: result.entries.map(inOwnNames),
    hasMore: result.has_more,
    nextBefore: result.next_before,
    unread: result.unread,
    nextEventId: result.next_event_id,
  })
}

async function show(asked: IdentifiedCall): Promise<Response> {
  const op = await operationNamed('push show')
  const result = (await resultOf(asked, op, { entry: asked.params.id })) as PushShowAnswer
  return json({ ok: true, command: 'push show', ...result, entry: inOwnNames(result.entry) })
}

/** These routes use the field names of entries files. */
function inOwnNames(entry: EntryView): object {
  const { entry_id, created_at, workspace_id, workspace_label, trashed_at, ...more } = entry
  const { imported_by, ...rest } = more
  return {
    id: entry_id,
    createdAt: created_at,
    workspaceId: workspace_id,
    workspaceLabel: workspace_label,
    trashedAt: trashed_at,
    ...(imported_by === undefined ? {} : { importedBy: imported_by }),
    ...rest,
  }
}

/**
 * POST /api/inbox/seed, only with --dev: adds one entry the way `import --as entries` would, so that clients can be
 * tried with any content.
 */
async function seed(asked: IdentifiedCall): Promise<Response> {
  const { server, served, request, principal } = asked
  if (!server.isDev) throw decline(404, 'there is nothing at this address')
  if (principal.kind !== 'person') throw decline(403, 'only people may add entries')
  if (request.headers.has('idempotency-key')) {
    throw decline(400, 'the id of an entry is its key; give that and leave Idempotency-Key out')
  }
  const given = await readJson(asked)
  const { house } = served
  const workspace =
    typeof given.workspaceId === 'string'
      ? await house.store.rowOf(WORKSPACES, given.workspaceId)
      : null
  const line = JSON.stringify({
    id: house.makeId('entry'),
    ts: Date.now(),
    workspaceId: '',
    ...(workspace === null ? {} : { workspaceLabel: workspace.label }),
    ...given,
  })
  const { id, created_at } = parseEntry(line)
  const files: Files = {
    write: async () => {},
    read: async function* () {
      yield new TextEncoder().encode(line)
    },
    setAside: () => {},
    aside: '',
  }
  const op = await operationNamed('import')
  const result = await resultOf(asked, op, { as: 'entries' }, { files }).catch((error) => {
    // The line itself was fine, so it conflicts with something in this store.
    const isTaken = error instanceof Refusal && error.code === 'invalid_input'
    throw isTaken ? decline(409, `id ${id} is already in use here; choose another`) : error
  })
  const { messages, next_event_id } = result as ImportAnswer
  const isNew = messages?.added === 1
  return json(
    { ok: true, id, createdAt: created_at, nextEventId: next_event_id },
    isNew ? 201 : 200,
  )
}

function parseEntry(line: string) {
  try {
    return parseEntryLine(line)
  } catch (error) {
    throw decline(400, `this is not an entry: ${(error as Error).message}`)
  }
}
