// The ids that completion offers, each with its subject: the threads that moved last. A shell asks for them at every press
// of the key, so a store that is not there, or cannot be read, offers none and says nothing.

import { shortId } from '../../core/short-id.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { call } from '../../ops/call.ts'
import { oneLine } from '../../ops/kit/drawing/text.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { list } from '../../ops/threads/list.ts'
import type { Io } from './io.ts'

const THREADS = list as unknown as Operation
const MOST = 50

export async function offeredIds(io: Io): Promise<string> {
  const store = await io.find(io.locate(undefined), { more: [] }).catch(() => null)
  if (store === null) return ''
  try {
    const house = { ...store, shell: { ...store.shell, say: () => {} } }
    const { signal } = new AbortController()
    const asked = { op: THREADS, raw: { limit: MOST }, door: 'cli', signal } as const
    const { result, settle } = await call(async () => house, asked)
    await settle()
    const { threads } = result as unknown as { threads: Thread[] }
    return threads.map((one) => `${shortId(one.thread_id)}\t${oneLine(one.subject)}\n`).join('')
  } finally {
    await store.close()
  }
}
