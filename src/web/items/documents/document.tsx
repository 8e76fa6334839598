// Renders Markdown and code as elements. Links other than http(s) and mailto are plain text, and remote images stay links.
// Blocks that change while the document is open are marked for a moment.

import { CatchBoundary } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { addressOf } from '../../api/session.ts'
import { type KeyedBlock, keyBlocks, newKeys } from './block-keys.ts'
import css from './document.module.css'
import { type DocumentPlace, fileAddress } from './file.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import type { CodePiece, DocumentBlock, Inline, ParseAnswer, ParseWish } from './tree.ts'

export function Markdown({ text }: { text: string }) {
  return <Parsed kind="markdown" text={text} />
}

export function Code({ text, language }: { text: string; language?: string }) {
  return <Parsed kind="code" text={text} language={language} />
}

type ParsedProps = { kind: 'markdown' | 'code'; text: string; language?: string | undefined }

const MARKED_MS = 4000

type Drawn = { blocks: KeyedBlock[]; isNew: ReadonlySet<string> }

function Parsed({ kind, text, language }: ParsedProps) {
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  useEffect(() => {
    let isWanted = true
    void parse({ kind, text, language }).then((parsed) => {
      if (!isWanted) return
      const blocks = parsed === null ? null : keyBlocks(parsed)
      setDrawn(
        (before) => blocks && { blocks, isNew: before ? newKeys(before.blocks, blocks) : NONE },
      )
    })
    return () => {
      isWanted = false
    }
  }, [kind, text, language])
  const marked = drawn?.isNew ?? NONE
  useEffect(() => {
    if (marked.size === 0) return
    const timer = setTimeout(() => setDrawn((now) => now && { ...now, isNew: NONE }), MARKED_MS)
    return () => clearTimeout(timer)
  }, [marked])
  const plain = (
    <p className="pre-wrap">
      <Text>{text}</Text>
    </p>
  )
  return (
    <div className={css.document} dir="auto">
      {drawn === null ? (
        plain
      ) : (
        <CatchBoundary getResetKey={() => text} errorComponent={() => plain}>
          {drawn.blocks.map(({ key, block }) => (
            <div key={key} className={css.block} data-new={marked.has(key)}>
              <BlockOf block={block} />
            </div>
          ))}
        </CatchBoundary>
      )}
    </div>
  )
}

const NONE: ReadonlySet<string> = new Set()

function Blocks({ blocks }: { blocks: DocumentBlock[] }) {
  return blocks.map((block, at) => <BlockOf key={at} block={block} />)
}

const HEADINGS = ['h3', 'h3', 'h3', 'h4', 'h5', 'h6', 'h6'] as const

function BlockOf({ block }: { block: DocumentBlock }) {
  switch (block.is) {
    case 'heading': {
      // The item's title is an h2, so headings in the document start at h3.
      const Heading = HEADINGS[block.level] ?? 'h6'
      return (
        <Heading data-level={block.level}>
          <Inlines inlines={block.inlines} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Inlines inlines={block.inlines} />
        </p>
      )
    case 'code':
      return <CodeBlock pieces={block.pieces} language={block.language} />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'line':
      return <hr />
    case 'list':
      return <List block={block} />
    case 'table':
      return <Table block={block} />
  }
}

function CodeBlock({ pieces, language }: { pieces: CodePiece[]; language: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a new part of the text
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
    <pre tabIndex={0} role="region" aria-label={language === '' ? 'Code' : `Code, ${language}`}>
      <code>
        {pieces.map(({ text, scope }, at) => (
          <span key={at} data-scope={scope}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  )
}

function List({ block }: { block: Extract<DocumentBlock, { is: 'list' }> }) {
  const items = block.items.map(({ task, blocks }, at) => (
    <li key={at} data-task={task !== null}>
      {task === null ? null : (
        <input type="checkbox" checked={task} disabled aria-label={task ? 'Done' : 'To do'} />
      )}
      <Blocks blocks={blocks} />
    </li>
  ))
  return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
}

function Table({ block }: { block: Extract<DocumentBlock, { is: 'table' }> }) {
  const align = (at: number) => block.align[at] ?? undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a new part of the text
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
    <div className={css.table} tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th key={at} scope="col" data-align={align(at)}>
                <Inlines inlines={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) => (
                <td key={at} data-align={align(at)}>
                  <Inlines inlines={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inlines({ inlines }: { inlines: Inline[] }) {
  return inlines.map((inline, at) => <InlineOf key={at} inline={inline} />)
}

function InlineOf({ inline }: { inline: Inline }) {
  switch (inline.is) {
    case 'text':
      return <Text>{inline.text}</Text>
    case 'code':
      return <code>{inline.text}</code>
    case 'break':
      return <br />
    case 'image':
      return <WorkspaceImage {...inline} otherwise={<ImageLink {...inline} />} />
    case 'link':
      return (
        <LinkTo href={inline.href}>
          <Inlines inlines={inline.inlines} />
        </LinkTo>
      )
    default: {
      const Tag = inline.is
      return (
        <Tag>
          <Inlines inlines={inline.inlines} />
        </Tag>
      )
    }
  }
}

/** Lets a parent render plain text itself, so that it can highlight parts of it. */
export const MarkText = createContext<((text: string) => ReactNode) | null>(null)

function Text({ children: text }: { children: string }) {
  const mark = use(MarkText)
  return <>{mark === null ? text : mark(text)}</>
}

const Place = createContext<DocumentPlace | null>(null)

/** Provides the document being rendered, so that relative paths in it can be resolved. */
export function InWorkspace({ place, children }: { place: DocumentPlace; children: ReactNode }) {
  return <Place value={place}>{children}</Place>
}

type ImageProps = { src: string; alt: string; otherwise: ReactNode }

/**
 * Shows an image that the document references by a relative path. Any other image stays a link, because loading it
 * would tell its server that the document is being read.
 */
function WorkspaceImage({ src, alt, otherwise }: ImageProps) {
  const place = use(Place)
  const [isBroken, setBroken] = useState(false)
  const path = place === null ? null : resolveWorkspacePath(place.path, src)
  if (place === null || path === null || isBroken) return otherwise
  const address = addressOf(fileAddress({ entry: place.entry, path }))
  return <img src={address} alt={alt} loading="lazy" onError={() => setBroken(true)} />
}

function ImageLink({ src, alt }: { src: string; alt: string }) {
  return <LinkTo href={src}>{`Image: ${alt === '' ? src : alt}`}</LinkTo>
}

function LinkTo({ href, children }: { href: string; children: React.ReactNode }) {
  if (!isSafe(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** Links with any other protocol, such as javascript:, stay plain text. */
function isSafe(href: string): boolean {
  try {
    return ['https:', 'http:', 'mailto:'].includes(new URL(href).protocol)
  } catch {
    return false
  }
}

// A worker parses documents. If parsing takes too long, the worker is terminated and the document is shown as plain
// text, so nothing an agent writes can freeze the page.
const LONGEST_MS = 1500
/** Loading the worker may take longer, because a slow connection doesn't mean a hostile document. */
const LOADING_MS = 30_000

type ParseWait = {
  resolve: (blocks: DocumentBlock[] | null) => void
  timer: ReturnType<typeof setTimeout>
}

let worker: Worker | undefined
let isLoaded = false
let lastId = 0
const waiting = new Map<number, ParseWait>()

function parse(wish: Omit<ParseWish, 'id'>): Promise<DocumentBlock[] | null> {
  worker ??= begin()
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    const timer = setTimeout(giveUp, isLoaded ? LONGEST_MS : LOADING_MS)
    waiting.set(id, { resolve, timer })
    worker?.postMessage({ ...wish, id } satisfies ParseWish)
  })
}

function begin(): Worker {
  // The worker's URL changes with its content, so the page's HTML provides it.
  const address = document.querySelector<HTMLMetaElement>('meta[name=document-worker]')?.content
  const made = new Worker(address ?? '', { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<ParseAnswer | null>) =>
    data === null ? beginTimes() : resolveParse(data.id, data.blocks)
  made.onerror = giveUp
  return made
}

/** Runs on the worker's first message, which says it's ready. The time limits for documents start then. */
function beginTimes(): void {
  isLoaded = true
  for (const one of waiting.values()) {
    clearTimeout(one.timer)
    one.timer = setTimeout(giveUp, LONGEST_MS)
  }
}

/** Other documents that the worker was parsing are shown as plain text too. */
function giveUp(): void {
  worker?.terminate()
  worker = undefined
  isLoaded = false
  for (const id of [...waiting.keys()]) resolveParse(id, null)
}

function resolveParse(id: number, blocks: DocumentBlock[] | null): void {
  const one = waiting.get(id)
  if (one === undefined) return
  clearTimeout(one.timer)
  waiting.delete(id)
  one.resolve(blocks)
}
