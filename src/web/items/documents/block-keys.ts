// Derives the keys of a document's blocks from their content, so an unchanged block stays mounted when others around it
// change, and new ones can be marked.

import type { DocumentBlock } from './tree.ts'

export type KeyedBlock = { key: string; block: DocumentBlock }

export function keyBlocks(blocks: readonly DocumentBlock[]): KeyedBlock[] {
  const seen = new Map<string, number>()
  return blocks.map((block) => {
    const sign = signOf(JSON.stringify(block))
    const times = seen.get(sign) ?? 0
    seen.set(sign, times + 1)
    return { key: `${sign}.${times}`, block }
  })
}

export function newKeys(before: readonly KeyedBlock[], now: readonly KeyedBlock[]): Set<string> {
  const old = new Set(before.map(({ key }) => key))
  return new Set(now.map(({ key }) => key).filter((key) => !old.has(key)))
}

/** A short hash. A collision is harmless: keys also have a counter. */
function signOf(text: string): string {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  }
  return `${(sum >>> 0).toString(36)}-${text.length}`
}
