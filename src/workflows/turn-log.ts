// The log of an agent's turns: what its program said, line by line, and how each turn ended. It is a private file beside
// the plan. Nothing of it goes into inboxes, because nobody wrote it to anybody.

import fs from 'node:fs'
import { join } from 'node:path'

export type TurnLogLine = {
  at: string
  wake: string
  kind: 'text' | 'tool' | 'error' | 'end'
  text: string
}

const FILE = 'turns.jsonl'
const STATE = 'state.json'
/** A log that has grown longer than this begins anew; the former one is kept once. */
const MOST_BYTES = 16 * 1024 * 1024
/** How much of a log's end is read to find the last lines. */
const TAIL_BYTES = 256 * 1024

export function appendTurnLog(folder: string, line: TurnLogLine): void {
  const path = join(folder, FILE)
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) {
    fs.renameSync(path, `${path}.1`)
  }
  fs.appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

/** The lines that were added after a place, and the place after them. */
export function readTurnLog(folder: string, from: number): { lines: TurnLogLine[]; end: number } {
  const path = join(folder, FILE)
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const start = size < from ? 0 : Math.max(from, size - MOST_BYTES)
  if (size === start) return { lines: [], end: size }
  const bytes = readPart(path, start, size - start)
  const last = bytes.lastIndexOf(10) + 1
  return { lines: parse(bytes.subarray(0, last)), end: start + last }
}

/** The end of a log, for whoever looks in. */
export function lastOfTurnLog(folder: string, count: number): TurnLogLine[] {
  const path = join(folder, FILE)
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const start = Math.max(0, size - TAIL_BYTES)
  const bytes = readPart(path, start, size - start)
  const first = start === 0 ? 0 : bytes.indexOf(10) + 1
  return parse(bytes.subarray(first)).slice(-count)
}

function readPart(path: string, start: number, length: number): Buffer {
  if (length === 0) return Buffer.alloc(0)
  const fd = fs.openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, start))
  } finally {
    fs.closeSync(fd)
  }
}

function parse(bytes: Buffer): TurnLogLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as TurnLogLine]
      } catch {
        // A turn that was killed in the middle of a line.
        return []
      }
    })
}

/** An agent keeps from turn to turn its backend's session and its last words. */
export type AgentState = {
  session: string | null
  last: string
  /** Says why the last turn failed; its supervisor knows only how its process ended. */
  failed?: { wake: string; why: string }
}

export function readAgentState(folder: string): AgentState {
  try {
    return JSON.parse(fs.readFileSync(join(folder, STATE), 'utf8')) as AgentState
  } catch {
    // There was no turn yet.
    return { session: null, last: '' }
  }
}

export function keepAgentState(folder: string, state: AgentState): void {
  const path = join(folder, STATE)
  const fresh = `${path}.${crypto.randomUUID()}`
  fs.writeFileSync(fresh, JSON.stringify(state), { mode: 0o600, flag: 'wx' })
  fs.renameSync(fresh, path)
}
