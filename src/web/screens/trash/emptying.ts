// Restoring and deleting what is in the trash. A refusal is said, and nothing is thrown.

import { call } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { dismissToast, showToast } from '../../ui/toasts.tsx'

const NOTICE = 'trash'
/** The most that one call deletes. */
const MOST = 500

export async function restore(ids: string[], subject: string): Promise<boolean> {
  return saying(async () => {
    await call('push restore', { entries: ids })
    const run = () => {
      dismissToast(NOTICE)
      void saying(() => call('push trash', { entries: ids }))
    }
    const undo = { run, until: Date.now() + 10_000 }
    showToast({ id: NOTICE, text: 'Back in the inbox', more: subject, undo })
  })
}

export async function deleteForEver(ids: string[]): Promise<boolean> {
  return saying(async () => {
    await call('push delete', { entries: ids })
    showToast({ id: NOTICE, text: 'Deleted for ever' })
  })
}

/** Everything that is in the trash now, so that the person is asked about exactly what would go. */
export async function inTrash(): Promise<string[]> {
  const ids: string[] = []
  await saying(async () => {
    let before: string | null = null
    do {
      const at: { before?: string } = before === null ? {} : { before }
      const input = { trashed: true, limit: MOST, ...at }
      const page: { entries: { entry_id: string }[]; next_before: string | null } = await call(
        'push history',
        input,
      )
      ids.push(...page.entries.map(({ entry_id }) => entry_id))
      before = page.next_before
    } while (before !== null)
  })
  return ids
}

export async function deleteAll(ids: string[], onProgress: (done: number) => void): Promise<void> {
  await saying(async () => {
    for (let at = 0; at < ids.length; at += MOST) {
      await call('push delete', { entries: ids.slice(at, at + MOST) })
      onProgress(Math.min(ids.length, at + MOST))
    }
    showToast({ id: NOTICE, text: `Deleted ${messagesIn(ids.length)} for ever` })
  })
}

export function messagesIn(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}

async function saying(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    showToast({ id: NOTICE, text: `That failed: ${why}`, isFailure: true })
    return false
  } finally {
    void queries.invalidateQueries({ queryKey: ['push history'] })
    void queries.invalidateQueries({ queryKey: ['desk list'] })
  }
}
