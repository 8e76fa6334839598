// Splits a stream into lines or, if it's a single JSON array, into the array's elements. Each comes with its raw bytes,
// not yet decoded, and the number of the line it begins on.

import { refuse } from '../../core/error.ts'

export type Line = { number: number; bytes: Uint8Array }

/** Twice the longest possible line of a log: all facts, a full body and a full payload, with every character escaped. */
const LONGEST = 32 * 1024 * 1024

const [NEWLINE, SPACE, QUOTE, COMMA, BACKSLASH] = [10, 32, 34, 44, 92] as const
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125] as const
const MARK: readonly number[] = [0xef, 0xbb, 0xbf]
const ONE_SPACE = new Uint8Array([SPACE])

type Cutter = { read(chunk: Uint8Array): Generator<Line>; end(): Generator<Line> }

export function linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  return cutting(chunks, lineCutter(1))
}

/** A file that begins with a bracket is a JSON array. Any other file is split into lines. */
export function elementsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  return cutting(chunks, eitherCutter())
}

async function* cutting(chunks: AsyncIterable<Uint8Array>, cutter: Cutter): AsyncGenerator<Line> {
  for await (const chunk of chunks) yield* cutter.read(chunk)
  yield* cutter.end()
}

function lineCutter(first: number): Cutter {
  let number = first
  const held = holder()
  return {
    *read(chunk) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        held.add(chunk.subarray(from, at), number)
        yield { number, bytes: held.take() }
        number += 1
        from = at + 1
      }
      held.add(chunk.subarray(from), number)
    },
    *end() {
      const bytes = held.take()
      if (bytes.length > 0) yield { number, bytes }
    },
  }
}

/**
 * Splits at the commas between the array's elements. Working on bytes is safe: JSON's punctuation is ASCII, and in
 * UTF-8 those bytes never occur inside another character.
 */
function listCutter(first: number): Cutter {
  let number = first
  /** The line the current element begins on; null between elements. */
  let begun: number | null = null
  let depth = 0
  let quoted: 'no' | 'yes' | 'escaped' = 'no'
  let isOver = false
  const held = holder()
  function* cut(): Generator<Line> {
    const bytes = withoutEnd(held.take())
    if (begun !== null && bytes.length > 0) yield { number: begun, bytes }
    begun = null
  }
  return {
    *read(chunk) {
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === NEWLINE) number += 1
        if (begun === null && byte <= SPACE) {
          from = at + 1
          continue
        }
        begun ??= number
        if (byte === NEWLINE) {
          // Turn newlines into spaces, so that a rejected element can be set aside as one line. Inside a string a
          // newline is invalid JSON anyway.
          held.add(chunk.subarray(from, at), begun)
          held.add(ONE_SPACE, begun)
          from = at + 1
        } else if (isOver) continue
        else if (quoted === 'escaped') quoted = 'yes'
        else if (quoted === 'yes') {
          if (byte === BACKSLASH) quoted = 'escaped'
          else if (byte === QUOTE) quoted = 'no'
        } else if (byte === QUOTE) quoted = 'yes'
        else if (byte === LIST || byte === OBJECT) depth += 1
        else if (depth > 0 && (byte === LIST_END || byte === OBJECT_END)) depth -= 1
        else if (depth === 0 && (byte === COMMA || byte === LIST_END)) {
          held.add(chunk.subarray(from, at), begun)
          yield* cut()
          from = at + 1
          isOver = byte === LIST_END
        }
      }
      held.add(chunk.subarray(from), begun ?? number)
    },
    end: cut,
  }
}

function eitherCutter(): Cutter {
  let number = 1
  let chosen: Cutter | undefined
  return {
    *read(chunk) {
      if (chosen !== undefined) return yield* chosen.read(chunk)
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === NEWLINE) number += 1
        // Skip a byte order mark just like whitespace.
        if (byte <= SPACE || MARK.includes(byte)) continue
        const isList = byte === LIST
        chosen = isList ? listCutter(number) : lineCutter(number)
        return yield* chosen.read(chunk.subarray(isList ? at + 1 : at))
      }
    },
    *end() {
      if (chosen !== undefined) yield* chosen.end()
    },
  }
}

/** Collects one line, which may come in several chunks. Refuses lines over the limit. */
function holder() {
  let parts: Uint8Array[] = []
  let length = 0
  return {
    add(part: Uint8Array, number: number): void {
      if (part.length === 0) return
      parts.push(part)
      length += part.length
      if (length <= LONGEST) return
      throw refuse.invalid_input`line ${number} is longer than ${LONGEST} bytes`
    },
    take(): Uint8Array {
      const [only] = parts
      const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
      parts = []
      length = 0
      return bytes
    },
  }
}

function withoutEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] as number) <= SPACE) end -= 1
  return bytes.subarray(0, end)
}
