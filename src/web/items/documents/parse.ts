// Asks the worker for the tree of a document. One that takes longer than a moment is shown as plain text, and the
// worker is ended: nothing that an agent writes keeps the page from answering.

import type { DocumentBlock, ParseAnswer, ParseWish } from './tree.ts'

const LONGEST_MS = 1500
/** A worker that is still on its way has longer: a slow line is no hostile document. */
const LOADING_MS = 30_000

type ParseWait = {
  resolve: (blocks: DocumentBlock[] | null) => void
  timer: ReturnType<typeof setTimeout>
}

let worker: Worker | undefined
let isLoaded = false
let lastId = 0
const waiting = new Map<number, ParseWait>()

/** Null when it could not be parsed in time. */
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
  // The page says where the worker is, because its name changes with its content.
  const address = document.querySelector<HTMLMetaElement>('meta[name=document-worker]')?.content
  const made = new Worker(address ?? '', { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<ParseAnswer | null>) =>
    data === null ? beginTimes() : settle(data.id, data.blocks)
  made.onerror = giveUp
  return made
}

/** The worker says first that it is there; from then on each document has its moment. */
function beginTimes(): void {
  isLoaded = true
  for (const one of waiting.values()) {
    clearTimeout(one.timer)
    one.timer = setTimeout(giveUp, LONGEST_MS)
  }
}

/** Whatever else was asked for is lost with the worker, and shown as plain text too. */
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
