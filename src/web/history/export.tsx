// Everything that the filters show, as one file, oldest first. The log is read page by page from its end, so the file
// is as of the moment at which it was asked for.

import { useCallback, useEffect, useRef, useState } from 'react'
import { call, type PageInput } from '../api/call.ts'
import { dismiss, notify } from '../shell/notices.tsx'
import { Button } from '../ui/button.tsx'
import css from './screen.module.css'
import type { PastMail } from './screen.tsx'

const PAGE = 500
const NOTICE = 'export'

export type Exporting = {
  /** How many messages were read so far; null when nothing is exported. */
  progress: number | null
  begin: () => void
  cancel: () => void
}

export function useExport(filter: PageInput<'mail history'>): Exporting {
  const [progress, setProgress] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  // A person who leaves the screen no longer waits for the file.
  useEffect(() => () => running.current?.abort(), [])
  const begin = useCallback(async () => {
    const ending = new AbortController()
    running.current = ending
    setProgress(0)
    dismiss(NOTICE)
    try {
      const pages = await readAll(filter, ending.signal, setProgress)
      const { name, count } = save(pages, filter)
      const messages = count === 1 ? '1 message' : `${count} messages`
      notify({ id: NOTICE, text: `Exported ${messages}`, more: name })
    } catch (error) {
      if (!ending.signal.aborted) {
        const why = error instanceof Error ? error.message : String(error)
        notify({ id: NOTICE, text: `Couldn't export: ${why}`, isFailure: true })
      }
    } finally {
      setProgress(null)
    }
  }, [filter])
  return { progress, begin: () => void begin(), cancel: () => running.current?.abort() }
}

async function readAll(
  filter: PageInput<'mail history'>,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<PastMail[][]> {
  const pages: PastMail[][] = []
  let count = 0
  let before: number | null = null
  do {
    const at: { before?: number } = before === null ? {} : { before }
    const page = await call('mail history', { ...filter, limit: PAGE, ...at }, { signal })
    signal.throwIfAborted()
    pages.push(page.messages)
    count += page.messages.length
    onProgress(count)
    before = page.next_before
  } while (before !== null)
  return pages
}

function save(pages: PastMail[][], filter: object): { name: string; count: number } {
  const messages = pages.flat().reverse()
  const count = messages.length
  const exported_at = new Date().toISOString()
  const header = { exported_at, filter, count, order: 'asc' }
  const days = [messages[0], messages.at(-1)].map((one) =>
    (one?.created_at ?? exported_at).slice(0, 10),
  )
  const name = `history_${days.join('_')}.json`
  // In pieces, because one text of a large history would be longer than a text may be.
  const pieces = messages.map((one, at) => `${at === 0 ? '' : ','}\n${JSON.stringify(one)}`)
  const parts = [`{"header":${JSON.stringify(header)},"messages":[`, ...pieces, '\n]}\n']
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return { name, count }
}

export function ExportProgress({ exporting: { progress, cancel } }: { exporting: Exporting }) {
  if (progress === null) return null
  return (
    <div className={css.exporting} role="status">
      <progress className={css.progress} aria-label="Export" />
      <span className={css.quiet}>{`${progress} read`}</span>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  )
}
