// Writes a channel to channel.md while its instance runs, and once more at the end. The store is the source of truth:
// changes that people or programs make to the file are undone, and missing entries are added.

import type { Bell } from '../core/bell.ts'
import { quote } from '../core/error.ts'
import type { Lookout } from '../core/store.ts'
import { type DrawnEntry, drawEntry } from '../core/workflows/channel-text.ts'
import { waitFor } from '../wake/wait.ts'
import { channelFile, type EntryBytes, type FileMark } from './channel-file.ts'
import { explain } from './document-file.ts'

export type ChannelSource = {
  entries(threadId: string, after: number, limit: number): Promise<DrawnEntry[]>
}

export type ProjectedChannel = {
  source: ChannelSource
  bell: Bell
  lookout: Lookout
  /** The real path of the instance's folder. */
  dir: string
  channel_file: string
  thread_id: string
  /** The earlier start whose channel is still in the file. That file is renamed. */
  former?: { run: number; thread_id: string; source: ChannelSource } | undefined
  /** True for a new start: any content in the file belongs to something else and is kept too. */
  isNew?: boolean | undefined
  /** Called with a problem once, and again when the problem changes. */
  tell(words: string): void
}

const PAGE = 500
/** How often to check the file when there are no new entries. */
const LOOK_MS = 2000
/** If something keeps changing the file, wait for the next check after this many tries. */
const TRIES = 3

/** Resolves after the signal, once the file is as up to date as possible. */
export async function projectChannel(want: ProjectedChannel, signal: AbortSignal): Promise<void> {
  const { source, bell, lookout, dir, channel_file, thread_id, former, isNew = false } = want
  const file = channelFile(dir, channel_file, () =>
    want.tell(
      `the folder ${quote(dir)} was removed; ${channel_file} was written again, and documents are as empty as the folder`,
    ),
  )
  const tell = onceEach(channel_file, want.tell)
  // Before existing content is replaced, its file is renamed.
  let isKept = former === undefined && !isNew
  const keepFound = async () => {
    try {
      if (former !== undefined) await complete(file, former)
    } finally {
      file.setAside(former?.run ?? 1)
      isKept = true
    }
  }
  const following = follow({ source, file, thread_id })
  const pass = () =>
    tell(async () => {
      if (!isKept) await keepFound()
      await following.pass()
    })
  let lookedAt = performance.now()
  await waitFor({
    bell,
    about: [thread_id],
    lookout,
    look: async () => {
      await pass()
      lookedAt = performance.now()
      return null
    },
    chores: [
      {
        dueMs: async () => Math.max(0, lookedAt + LOOK_MS - performance.now()),
        // Empty, because the `look` that follows does the work.
        run: async () => {},
      },
    ],
    timeoutMs: 0,
    signal,
  })
  following.doubt()
  await pass()
}

/**
 * Completes the file of an earlier start: a killed runner may not have written the last entries. If the channel was
 * pruned, the file may contain more than the store. It may also contain another instance's text.
 */
async function complete(
  file: FileOfChannel['file'],
  { run, source, thread_id }: NonNullable<ProjectedChannel['former']>,
): Promise<void> {
  const [some] = await source.entries(thread_id, 0, 1)
  const keep = () => file.setAside(run)
  if (some !== undefined) await follow({ source, file, thread_id, keep }).pass()
}

type FileOfChannel = {
  source: ChannelSource
  file: ReturnType<typeof channelFile>
  thread_id: string
  /** Called before content that isn't the channel's is replaced. */
  keep?: () => void
}

function follow({ source, file, thread_id, keep }: FileOfChannel) {
  let mark: FileMark | null = null
  async function* pages(after: number): AsyncGenerator<EntryBytes[]> {
    for (let last = after; ; ) {
      const entries = await source.entries(thread_id, last, PAGE)
      if (entries.length === 0) return
      yield entries.map((entry) => ({ seq: entry.seq, bytes: encode(drawEntry(entry)) }))
      if (entries.length < PAGE) return
      last = entries.at(-1)?.seq ?? last
    }
  }
  /** Returns false if the file changed while we worked on it. */
  const once = async (): Promise<boolean> => {
    if (mark !== null && !file.isAsLeft(mark)) mark = null
    mark ??= await file.compare(pages)
    if (mark === null) {
      keep?.()
      mark = await file.rebuild(pages)
    }
    if (mark === null) return false
    for await (const page of pages(mark.seq)) {
      mark = file.append(mark, page)
      if (mark === null) return false
    }
    return true
  }
  return {
    /** Makes the next pass read the whole file. */
    doubt: () => {
      mark = null
    },
    async pass() {
      for (let tries = 1; tries <= TRIES; tries += 1) if (await once()) return
    },
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Problems with the file are only reported, because agents read the store instead. */
function onceEach(file: string, tell: (words: string) => void) {
  let told = ''
  return async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      told = ''
    } catch (error) {
      if (isOfStore(error)) throw error
      const words = (explain(file, error) as Error).message
      if (words !== told) tell(words)
      told = words
    }
  }
}

function isOfStore(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === 'busy' || code === 'store_unusable'
}
