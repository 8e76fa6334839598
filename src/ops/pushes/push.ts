import { isOutOfSight } from '../../core/agents/agent.ts'
import { AGENT_SEEN } from '../../core/agents/sighting.ts'
import { field, operation, quote, Refusal, refuse } from '../../core/error.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import { type Absence, documentPath, MOST_BYTES, makeRelative } from '../../core/pushes/document.ts'
import { type PushForm, push as pushed } from '../../core/pushes/push.ts'
import { firstLine, type NewArtifact, type Words } from '../../core/threads/message.ts'
import { epochMs } from '../../core/time.ts'
import { introduceAll } from '../agents/introduce.ts'
import { type AnswerOf, aNumber, aText, CURSOR } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import { body, id, list, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { originOf, type PushSender, senderOf } from './push-origin.ts'

export const MOST_DOCS = 50

/** Leaves out the message text: answers are kept for retries, and a deleted push must not survive in one. */
export const PUSHED = {
  entry_id: aText('its id'),
  ts: aNumber('when it was pushed, in milliseconds since 1970'),
  workspace_id: aText('where it came from, or empty'),
  next_event_id: CURSOR,
}

export type PushAnswer = AnswerOf<typeof PUSHED>

export const push = mutation({
  name: 'push',
  example: 'push report.md --comments "The report is ready" --agent worker',
  summary: 'Show a person documents of the workspace, a comment, or both.',
  about:
    'Push finished work (with --doc), a decision only a person can make (ask in --comments), and occasionally the progress of a long job, but not every step. Documents are referenced, not copied: a person sees their current content, and whether it has changed since the push. A reply comes as mail. In a shell the workspace is the one that contains the working folder. Push a file that has the name of a command, such as read, as ./read or with --doc read.',
  fields: {
    agent: self('the agent that pushes', { leftOut: "the workspace's own agent" }),
    workspace: id('the workspace it comes from', { leftOut: 'the one you are in' }),
    docs: list('a file, relative to the workspace or, in a shell, to the working folder', {
      max: MOST_DOCS,
      ofPaths: true,
      positional: true,
    }),
    comments: body('your message to the person, in Markdown'),
  },
  set: 'workspace',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check({ docs = [], comments = '' }) {
    if (docs.length === 0 && comments.trim() === '')
      throw refuse.invalid_input`${field('comments')} is missing: say something, or name a document`
  },
  async run(context, input): Promise<PushAnswer> {
    const { docs = [], comments = '' } = input
    const sender = await senderOf(context, input)
    const artifacts = await readDocuments(context, sender.workspace, docs)
    const paths = artifacts.map(({ path }) => path)
    const words = { summary: subjectOf(comments, paths), body: comments, artifacts }
    return send(context, { op: 'push', sender, form: 'push', words, input })
  },
  answer: PUSHED,
  lines: async ({ entry_id }, page) => {
    const { drawMade } = await import('../kit/drawing/page.ts')
    return drawMade(entry_id, page, (id) => `pushed; ${page.command(`push show ${id}`)} shows it`)
  },
  tool: {
    name: 'inbox_push',
    does: "Show the user something in their inbox. Push when work they asked for is finished (docs: the result's files), when you are blocked on a decision only they can make (comments: the question), or now and then to report on a long job. Never push intermediate steps, scratch or debug output. At least one of docs and comments.",
    args: {
      docs: {
        shape: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string', description: 'the file' } },
            required: ['path'],
          },
        },
        about: 'files, relative to the workspace; shown live, not copied',
      },
      comments: { about: 'Markdown, to the user' },
    },
  },
})

type PushInput = {
  op: string
  sender: PushSender
  form: PushForm
  words: Omit<Words, 'payload_json'>
  input: object & { idempotency_key?: string | undefined }
}

export async function send(context: Context, want: PushInput): Promise<PushAnswer> {
  const { op, sender, form, input } = want
  const { from, workspace } = sender
  // Part of the call's identity, because callers can omit it and one agent can push from several workspaces.
  const meant = { ...input, workspace: workspace?.workspace_id }
  return commit(context, { op, agent: from, input: meant }, async (tx) => {
    const [now, known, wake, turns, recipients] = await Promise.all([
      tx.now(),
      tx.agent(from),
      tx.runningWake(from),
      tx.turnsOf(from),
      tx.people(),
    ])
    if (known === null) await introduceAll(tx, [from], { by: from, now })
    if (isOutOfSight(known, now)) tx.keep(AGENT_SEEN, { agent_id: from, seen_at: now })
    const words: Words = {
      ...want.words,
      payload_json: JSON.stringify({ origin: originOf(context, workspace, { now, wake, turns }) }),
      ...(wake === null ? {} : { hops: wake.hops + 1 }),
    }
    const event = pushed(
      {
        entry_id: context.makeId('entry'),
        from,
        recipients,
        workspace_id: workspace?.workspace_id ?? '',
        workspace_label: workspace?.label ?? '',
        form,
        words,
      },
      stamp(context, now, words),
    )
    tx.record(null, event)
    const { thread_id: entry_id } = event
    return { entry_id, ts: epochMs(now), workspace_id: workspace?.workspace_id ?? '' }
  })
}

/** Checks that each document exists inside the workspace, and computes its digest. */
async function readDocuments(
  { documents, door, origin }: Context,
  workspace: Workspace | null,
  docs: readonly string[],
): Promise<NewArtifact[]> {
  if (docs.length === 0) return []
  if (workspace === null) {
    if (door === 'mcp')
      throw refuse.invalid_input`a document belongs to a workspace, and you are in none: say it in ${field('comments')}, or ask a person to add the folder with ${operation('workspace add')} and to connect you to it, at a server by /mcp/WORKSPACE`
    throw refuse.invalid_input`a document belongs to a workspace: add its folder with ${operation('workspace add')}, name one with ${field('workspace')}, or say it in ${field('comments')}`
  }
  // In a shell, paths are relative to the working folder.
  const standing = door === 'cli' ? origin?.folder : undefined
  const paths = docs.map((doc) =>
    documentPath(makeRelative(workspace.path, doc, standing), field('docs')),
  )
  const artifacts: NewArtifact[] = []
  for (const path of new Set(paths)) {
    const metadata = await lookAt(documents, workspace, path)
    artifacts.push({ path, kind: 'document', metadata_json: JSON.stringify(metadata) })
  }
  return artifacts
}

async function lookAt(
  documents: Context['documents'],
  workspace: Workspace,
  path: string,
): Promise<{ sha256: string; size: number }> {
  const document = await documents.open(workspace.path, path)
  if (document.state !== 'there') throw unusable(document.state, path, workspace)
  try {
    return { sha256: await document.digest(), size: document.size }
  } finally {
    document.close()
  }
}

export function unusable(state: Absence, path: string, { workspace_id, label }: Workspace) {
  const what = `document ${quote(path)}`
  const details = { path, state, workspace_id }
  switch (state) {
    case 'gone':
      return new Refusal(
        'invalid_state',
        `the folder of workspace ${quote(label)} is gone`,
        details,
      )
    case 'missing':
      return new Refusal(
        'invalid_input',
        `there is no ${what} in workspace ${quote(label)}`,
        details,
      )
    case 'outside':
      return new Refusal('forbidden', `${what} leads out of workspace ${quote(label)}`, details)
    case 'special':
      return new Refusal('invalid_input', `${what} is not a file`, details)
    case 'too_large':
      return new Refusal('invalid_input', `${what} is over ${MOST_BYTES} bytes`, details)
    case 'unreadable':
      return new Refusal('invalid_input', `${what} cannot be read`, details)
  }
}

export function subjectOf(comments: string, docs: readonly string[]): string {
  const more = docs.length > 1 ? ` and ${docs.length - 1} more` : ''
  return firstLine(comments) || firstLine(`${docs[0] ?? ''}${more}`)
}
