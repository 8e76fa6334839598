import { field, quote, refuse } from '../../core/error.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { type AnswerOf, aList, CURSOR, INTERRUPTED, WOKE } from '../kit/answer.ts'
import { type Input, id, list, path, required, self, text } from '../kit/field.ts'
import { type Context, OPERATORS, query } from '../kit/operation.ts'
import { describeWait, WAIT_FIELD } from '../kit/waiting.ts'
import { MOST_DOCS } from './push.ts'
import { DOCUMENT, type DocumentNow, describeAt } from './push-document.ts'
import { type PushViewer, personLooking, visiblePush } from './push-view.ts'

const WATCHED_DOCUMENTS = {
  documents: aList(DOCUMENT, 'as they are now, in the order they were pushed'),
  woke: WOKE,
  interrupted: INTERRUPTED,
  next_event_id: CURSOR,
}

export type WatchedDocuments = AnswerOf<typeof WATCHED_DOCUMENTS>

const FIELDS = {
  agent: self('the person watching', { leftOut: 'user' }),
  entry: required(id('the push', { positional: true })),
  path: path('the file, relative to the workspace', {
    positional: true,
    leftOut: 'all documents of the push',
  }),
  sha256: text('the digest when the file was last read', { max: 64, leftOut: 'as it is now' }),
  seen: list('without a path: the digest and the path of a document, separated by a space', {
    max: MOST_DOCS,
    leftOut: 'as they are now',
  }),
  timeout_seconds: WAIT_FIELD,
}

export const pushWatch = query({
  name: 'push watch',
  example: 'push watch 3f2a9c1e report.md --timeout-seconds 1',
  summary: 'Block until a document of a push changes. Uses no CPU while it waits.',
  about:
    'Watches one document, or without a path all of them. Pass the digest a document had when it was last read, or its state if it was missing, and continue from the answer. It also returns when a file appears or disappears.',
  fields: FIELDS,
  set: 'workspace',
  callers: OPERATORS,
  blocks: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ path, sha256, seen }) {
    if (path === undefined && sha256 !== undefined)
      throw refuse.invalid_input`${field('sha256')} is of one document; give its ${field('path')}, or ${field('seen')} for all`
    if (path !== undefined && seen !== undefined)
      throw refuse.invalid_input`${field('seen')} is for all documents; with ${field('path')} give ${field('sha256')}`
  },
  async run(context, input): Promise<WatchedDocuments> {
    const viewer = personLooking(context, input.agent)
    const paths = await pathsOf(context, input, viewer)
    const timeout = input.timeout_seconds * 1000
    const late = timeout === 0 ? undefined : AbortSignal.timeout(timeout)
    const given = late === undefined ? context.signal : AbortSignal.any([context.signal, late])
    const watch = await watchAll(context, input.entry, paths, given)
    const isWhole = input.path === undefined
    const documents: DocumentNow[] = []
    const last = lastSeen(paths, input)
    try {
      for (;;) {
        for (const at of watch.take()) {
          const want = { entry: input.entry, path: paths[at] as string, viewer }
          documents[at] = await describeAt(context, isWhole ? { ...want, tellOutside: true } : want)
        }
        const signs = documents.map(({ sha256, state }) => sha256 ?? state)
        for (const [at, sign] of signs.entries()) last[at] ??= sign
        const woke = signs.some((sign, at) => sign !== last[at])
        if (woke || given.aborted) {
          const interrupted = context.signal.aborted ? { interrupted: true as const } : {}
          const next_event_id = await context.store.lastEventId()
          return { documents, woke, ...interrupted, next_event_id }
        }
        await watch.rung()
      }
    } finally {
      watch.give()
    }
  },
  nothing: ({ woke }) => !woke,
  takesLong: ({ entry }) => describeWait(`a change of the documents of ${entry}`),
  answer: WATCHED_DOCUMENTS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawWatched(answer, page),
})

type WatchInput = Input<typeof FIELDS>

async function pathsOf(
  { store }: Context,
  { entry, path: one }: WatchInput,
  viewer: PushViewer,
): Promise<string[]> {
  const { artifacts } = await visiblePush(store, entry, viewer)
  const paths = one === undefined ? artifacts.map(({ path }) => path) : [one]
  if (paths.length > 0) return paths
  throw refuse.not_found`the push ${entry} has no documents to watch`
}

/** For each document, the digest or state that the caller last saw, if given. */
function lastSeen(
  paths: readonly string[],
  { sha256, seen = [] }: WatchInput,
): (string | undefined)[] {
  const last: (string | undefined)[] = [sha256]
  for (const line of seen) {
    const [, sign, path = ''] = /^(\S+) (.+)$/.exec(line) ?? []
    const at = paths.indexOf(path)
    if (at < 0)
      throw refuse.invalid_input`${field('seen')} ${quote(line)} is not a digest, a space and the path of a document of this push`
    last[at] = sign
  }
  return last
}

/**
 * Watches several files. The first `take` returns all of them, and later ones return those that may have changed.
 * `take` rearms the watches before the files are read, so no change is lost between reading and sleeping.
 */
async function watchAll(
  { store, documents }: Context,
  entry: string,
  paths: readonly string[],
  signal: AbortSignal,
) {
  const item = await store.push(entry, '')
  const workspace = item === null ? null : await store.rowOf(WORKSPACES, item.workspace_id)
  const giving = new AbortController()
  const either = AbortSignal.any([signal, giving.signal])
  let due = new Set(paths.keys())
  let wake = () => {}
  const ring = (at: number) => {
    due.add(at)
    wake()
  }
  const arm = (at: number) => {
    const path = paths[at] as string
    const changed =
      workspace === null ? whenAborted(either) : documents.changed(workspace.path, path, either)
    void changed.then(() => ring(at))
  }
  return {
    take(): number[] {
      const taken = [...due]
      due = new Set()
      for (const at of taken) arm(at)
      return taken
    },
    async rung(): Promise<void> {
      if (due.size > 0) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    },
    give: () => giving.abort(),
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}
