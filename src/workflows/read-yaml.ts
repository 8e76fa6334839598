// Parses the YAML of a workflow file. Every problem is reported with its place, so that one check shows all of them.

import { type Document, LineCounter, parseDocument } from 'yaml'
import { FILE, LIMITS, type RawWorkflow } from './keys.ts'
import type { FilePlace, Problem } from './plan.ts'
import { type ReadText, type Say, ValueReader } from './read-values.ts'

/** `problems` describes the values of the wrong shape, and `faults` lists their paths. */
export type YamlFile = {
  raw: RawWorkflow
  problems: Problem[]
  faults: string[]
  places: Map<string, FilePlace>
  /** The strings as written in the file, by path. */
  texts: Map<string, ReadText>
  placeAt: (offset: number) => FilePlace
}

export function readYaml(text: string): YamlFile | { problems: Problem[] } {
  const problems: Problem[] = []
  const say: Say = (place, what, remedy) => {
    problems.push({ ...place, what, remedy })
  }
  const bytes = new TextEncoder().encode(text).length
  if (bytes > LIMITS.fileBytes) {
    say({ line: 1, column: 1 }, `the file has ${bytes} bytes`, `keep it under ${LIMITS.fileBytes}`)
    return { problems }
  }
  const lines = new LineCounter()
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const parsed = parse(text, lines)
  if (parsed === undefined) {
    say({ line: 1, column: 1 }, 'the file is nested too deeply', 'write it with fewer brackets')
    return { problems }
  }
  const source = text.split('\n')
  const told = new Set<number>()
  for (const { pos, code, message } of [...parsed.errors, ...parsed.warnings]) {
    const place = placeAt(pos[0])
    // The parser continues after a fault: only the first one on a line matters.
    if (told.has(place.line)) continue
    told.add(place.line)
    const { what, remedy } = faultOf({ code, message }, source[place.line - 1] ?? '')
    say(place, what, remedy)
  }
  if (problems.length > 0) return { problems: problems.slice(0, 20) }
  const values = new ValueReader({ document: parsed, text, placeAt, say })
  const raw = values.read(parsed.contents, FILE, '')
  if (raw === undefined) {
    if (problems.length === 0) {
      say({ line: 1, column: 1 }, 'the file is empty', 'name agents under agents:')
    }
    return { problems }
  }
  const { places, texts, faults } = values
  return { raw: wholeParts(raw as RawWorkflow, faults), problems, faults, places, texts, placeAt }
}

/** Leaves out an entire list or group if part of it has a fault: the paths of its values contain indexes. */
function wholeParts(raw: RawWorkflow, faults: readonly string[]): RawWorkflow {
  const { setup, params, context, ...rest } = raw
  const isWhole = (key: string) => !faults.some((path) => path.split('.')[0] === key)
  return {
    ...rest,
    agents: raw.agents ?? {},
    ...(setup !== undefined && isWhole('setup') ? { setup } : {}),
    ...(params !== undefined && isWhole('params') ? { params } : {}),
    ...(context !== undefined && isWhole('context') ? { context } : {}),
  }
}

function parse(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2', merge: false })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Describes an error in the YAML on `line`. Replaces parser messages meant for programmers. */
function faultOf(
  { code, message }: { code: string; message: string },
  line: string,
): { what: string; remedy: string } {
  // Drop the line that the parser quotes in its message: we report the position ourselves.
  const [first = ''] = message.split('\n')
  const what = MESSAGES[code] ?? `this is not YAML: ${first.replace(/[:.]+$/, '')}`
  const isFilled = line.includes('${{') && code !== 'DUPLICATE_KEY'
  const known = isFilled ? 'put quotes around the text with ${{ }} in it' : REMEDIES[code]
  return { what, remedy: known ?? 'fix the line, or put quotes around its text' }
}

const MESSAGES: Record<string, string> = {
  MULTIPLE_DOCS: 'the file holds several documents',
  TAB_AS_INDENT: 'tabs cannot indent YAML',
  DUPLICATE_KEY: 'this key occurs twice',
}

const REMEDIES: Record<string, string> = {
  DUPLICATE_KEY: 'keep one of the two',
  TAB_AS_INDENT: 'use spaces',
  BAD_INDENT: 'indent this line like the lines beside it',
  MULTIPLE_DOCS: 'keep one workflow in a file',
  TAG_RESOLVE_FAILED: 'leave the tag out',
  BLOCK_AS_IMPLICIT_KEY:
    'indent the next line like this one, or put quotes around a text that has a colon in it',
  BAD_DQ_ESCAPE: 'write two backslashes for one',
  MISSING_CHAR: 'close what was opened before',
}
