// POST /api/inbox/seed, with --dev only: adds one entry of an entries file as `import --as entries` would, so that
// clients can be tried with any content.

import { Refusal } from '../../core/error.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { parseEntryLine } from '../../ops/keeping/entry-line.ts'
import type { ImportAnswer } from '../../ops/keeping/import.ts'
import type { Files } from '../../ops/kit/files.ts'
import type { JsonSchema } from '../../ops/kit/schema.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { decline, json } from './answer.ts'
import { readJson } from './body.ts'
import { resultOf } from './ops-route.ts'
import type { IdentifiedCall } from './route.ts'

const TEXT = { type: 'string' }

export const ENTRY: JsonSchema = {
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

export async function seed(asked: IdentifiedCall): Promise<Response> {
  const { site, served, request, principal } = asked
  if (!site.isDev) throw decline(404, 'there is nothing at this address')
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
