// The documents of a push. The first starts open, and the others are rows. A single call waits for changes to any of
// them. The URL says which one is shown full page.

import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { isOn, useCommands } from '../../ui/commands.ts'
import { makeSearch, textIn } from '../../ui/search.ts'
import css from './pushed-document.module.css'
import { canOpen, DocumentContent, type PushedDoc, PushedDocument } from './pushed-document.tsx'

/** The document that is shown full page. */
const useShownDocument = makeSearch(({ doc }) => ({ doc: textIn(doc, 4096) }))

type DocumentsProps = { entry: string; documents: readonly PushedDoc[]; agent: string }

export function PushedDocuments({ entry, documents, agent }: DocumentsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set([documents[0]?.path ?? '']))
  const list = useRef<HTMLDivElement>(null)
  const [{ doc }] = useShownDocument()
  const navigate = useNavigate()
  useWatched(entry, documents)
  const paths = documents.filter(canOpen).map(({ path }) => path)
  const focused = () => document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset.path
  const step = (by: number) => () => {
    const at = paths.indexOf(focused() ?? '')
    const next = paths[at < 0 ? (by > 0 ? 0 : paths.length - 1) : at + by]
    if (next === undefined) return
    const opener = `[data-path="${CSS.escape(next)}"] [data-opener]`
    const button = list.current?.querySelector<HTMLElement>(opener)
    button?.focus()
    button?.scrollIntoView({ block: 'nearest' })
  }
  const showFull = () => {
    const path = focused() ?? documents.find((one) => open.has(one.path))?.path ?? ''
    if (path !== '')
      void navigate({ to: '.', search: (before: object) => ({ ...before, doc: path }) })
  }
  const group = 'Documents'
  useCommands([
    { title: 'Next document', keys: 'n', group, run: step(1), repeats: true },
    { title: 'Previous document', keys: 'p', group, run: step(-1), repeats: true },
    { title: 'Show the document full page', keys: 'f', group, run: showFull },
  ])
  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  const full = documents.find(({ path }) => path === doc)
  return (
    <div ref={list}>
      {documents.map((document) => (
        <PushedDocument
          key={document.path}
          entry={entry}
          document={document}
          agent={agent}
          isOpen={open.has(document.path)}
          onToggle={() => toggle(document.path)}
        />
      ))}
      {full === undefined ? null : (
        <FullDocument
          key={full.path}
          entry={entry}
          document={full}
          onClose={() =>
            void navigate({ to: '.', search: ({ doc: _, ...before }: { doc?: string }) => before })
          }
        />
      )}
    </div>
  )
}

type FullProps = { entry: string; document: PushedDoc; onClose: () => void }

function FullDocument({ entry, document: shown, onClose }: FullProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { path } = shown
  return (
    <dialog
      ref={dialog}
      className={css.full}
      aria-label={path}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'f' && isOn('f') && !event.ctrlKey && !event.metaKey)
          dialog.current?.close()
      }}
    >
      <header className="row gap-5 between line-bottom px-6">
        <span className="truncate code min-0 semi">{path}</span>
        <Button look="quiet" icon={X} label="Close" onClick={() => dialog.current?.close()} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls */}
      <div className="scroll" tabIndex={0}>
        <div className={css.fullColumn}>
          <DocumentContent entry={entry} document={shown} isFull />
        </div>
      </div>
    </dialog>
  )
}

function useWatched(entry: string, documents: readonly PushedDoc[]): void {
  const { state } = useLive()
  const seen = documents.map(({ sha256, state, path }) => `${sha256 ?? state} ${path}`).join('\n')
  const isLive = state === 'live'
  useEffect(() => {
    if (seen === '' || !isLive) return
    const ending = new AbortController()
    const { signal } = ending
    const watch = async () => {
      while (!signal.aborted) {
        const known = { entry, seen: seen.split('\n'), timeout_seconds: 50 }
        const { woke, documents: now } = await call('push watch', known, { signal })
        if (!woke) continue
        const { queryKey } = asking('push show', { entry })
        queries.setQueryData(queryKey, (before) => before && { ...before, documents: now })
        return
      }
    }
    // If the server goes away, the wait restarts once the stream is back.
    void watch().catch(() => {})
    return () => ending.abort()
  }, [entry, seen, isLive])
}
