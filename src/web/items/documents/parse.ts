// Has the worker parse a document. If that takes too long, the worker is ended and the document is shown as plain text, so
// nothing an agent writes can freeze the page.

import type { DocumentBlock, ParseAnswer, ParseWish } from './tree.ts'

const LONGEST_MS = 1500
/** Loading the worker may take longer: a slow connection isn't a hostile document. */
const LOADING_MS = 30_000

type ParseWait = {
  resolve: (blocks: DocumentBlock[] | null) => void
  timer: ReturnType<typeof setTimeout>
}

let worker: Worker | undefined
let isLoaded = false
let lastId = 0
const waiting = new Map<number, ParseWait>()

/** Null if it couldn't be parsed in time. */
export function parse(wish: Omit<ParseWish, 'id'>): Promise<DocumentBlock[] | null> {
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
  // The page's HTML has the worker's address, because it changes with its content.
  const address = document.querySelector<HTMLMetaElement>('meta[name=document-worker]')?.content
  const made = new Worker(address ?? '', { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<ParseAnswer | null>) =>
    data === null ? beginTimes() : settle(data.id, data.blocks)
  made.onerror = giveUp
  return made
}

/** The worker's first message says it's ready. The time limit for documents starts then. */
function beginTimes(): void {
  isLoaded = true
  for (const one of waiting.values()) {
    clearTimeout(one.timer)
    one.timer = setTimeout(giveUp, LONGEST_MS)
  }
}

/** Other documents the worker had are lost with it, and shown as plain text too. */
function giveUp(): void {
  worker?.terminate()
  worker = undefined
  isLoaded = false
  for (const id of [...waiting.keys()]) settle(id, null)
}

function settle(id: number, blocks: DocumentBlock[] | null): void {
  const one = waiting.get(id)
  if (one === undefined) return
  clearTimeout(one.timer)
  waiting.delete(id)
  one.resolve(blocks)
}
