// Keeps the text of a channel in channel.md while its instance runs and once more at the end. The store is the truth: changes by people
// or programs are undone, and missing entries are added.

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
  /** The earlier start whose text is in the file and moves to another name. */
  former?: { run: number; thread_id: string; source: ChannelSource } | undefined
  /** A new start: any text in the file belongs to something else and is kept too. */
  isNew?: boolean | undefined
  /** Called with a problem once, and again when the problem changes. */
  tell(words: string): void
}

const PAGE = 500
/** How often to check the file when there are no new entries. */
const LOOK_MS = 2000
/** Something may keep changing the file; after this many tries, wait for the next check. */
const TRIES = 3

/** Resolves after the signal, once the file is up to date, as far as possible. */
export async function projectChannel(want: ProjectedChannel, signal: AbortSignal): Promise<void> {
  const { source, bell, lookout, dir, channel_file, thread_id, former, isNew = false } = want
  const file = channelFile(dir, channel_file, () =>
    want.tell(
      `the folder ${quote(dir)} was removed; ${channel_file} was written again, and documents are as empty as the folder`,
    ),
  )
  const tell = onceEach(channel_file, want.tell)
  // Before a text found in the file is replaced, it moves to another name.
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
        // The next look does the work.
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
 * A killed runner may not have written the last entries. The file may have more than the store if the channel was pruned,
 * and another instance may have left its text there.
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
  /** Called before replacing a text that isn't the channel's. */
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
  /** False if the file changed in the meantime. */
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

/** Problems with the file stop nothing: agents read the store. */
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
