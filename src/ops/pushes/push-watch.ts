import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { CURSOR, INTERRUPTED, WOKE } from '../kit/answer.ts'
import { byDefault, id, int, path, required, self, text } from '../kit/field.ts'
import { type Context, OPERATORS, query } from '../kit/operation.ts'
import { DOCUMENT_HOLDS, type DocumentNow, describe, openDocument } from './push-document.ts'
import { type PushViewer, personLooking } from './push-view.ts'

export type WatchedDocument = DocumentNow & {
  woke: boolean
  interrupted?: true
  next_event_id: number
}

export const pushWatch = query({
  name: 'push watch',
  summary: 'Block until a document of a push changes. Uses no CPU while it waits.',
  about:
    'Give the sha256 that the document had when it was last read, and go on from the answer. It also returns when the file appears or disappears.',
  fields: {
    agent: self('the person who watches', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
    path: required(path('the file, relative to the workspace', { positional: true })),
    sha256: text('the digest when the file was last read', { max: 64, leftOut: 'as it is now' }),
    timeout_seconds: byDefault(
      int('give up after this many seconds; 0 waits forever', { max: 31_536_000 }),
      1800,
    ),
  },
  set: 'workspace',
  callers: OPERATORS,
  blocks: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  async run(context, input): Promise<WatchedDocument> {
    const viewer = personLooking(context, input.agent)
    const want = { entry: input.entry, path: input.path, viewer }
    const timeout = input.timeout_seconds * 1000
    const late = timeout === 0 ? undefined : AbortSignal.timeout(timeout)
    const given = late === undefined ? context.signal : AbortSignal.any([context.signal, late])
    let last = input.sha256
    for (;;) {
      // The watch is armed before the look, so that nothing falls between look and sleep.
      const armed = await arm(context, want, given)
      const now = await lookAt(context, want).catch((error) => {
        armed.give()
        throw error
      })
      last ??= now.sha256 ?? now.state
      const woke = (now.sha256 ?? now.state) !== last
      if (woke || given.aborted) {
        armed.give()
        const interrupted = context.signal.aborted ? { interrupted: true as const } : {}
        const next_event_id = await context.store.lastEventId()
        return { ...now, woke, ...interrupted, next_event_id }
      }
      await armed.changed
    }
  },
  nothing: ({ woke }) => !woke,
  answer: { ...DOCUMENT_HOLDS, woke: WOKE, interrupted: INTERRUPTED, next_event_id: CURSOR },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWatched(answer, page),
})

type WatchTarget = { entry: string; path: string; viewer: PushViewer }

async function lookAt(context: Context, want: WatchTarget): Promise<DocumentNow> {
  const opened = await openDocument(context, want)
  try {
    return await describe(opened)
  } finally {
    if (opened.document.state === 'there') opened.document.close()
  }
}

async function arm(
  { store, documents }: Context,
  { entry, path }: WatchTarget,
  signal: AbortSignal,
) {
  const giving = new AbortController()
  const item = await store.push(entry, '')
  const workspace = item === null ? null : await store.rowOf(WORKSPACES, item.workspace_id)
  const either = AbortSignal.any([signal, giving.signal])
  const changed =
    workspace === null
      ? new Promise<void>((resolve) => either.addEventListener('abort', () => resolve()))
      : documents.changed(workspace.path, path, either)
  return { changed, give: () => giving.abort() }
}
