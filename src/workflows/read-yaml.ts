// Reads the text of a workflow file. Everything that is wrong is reported with its place, so that one look shows all
// there is to mend.

import { type Document, LineCounter, parseDocument } from 'yaml'
import { faultOf } from './file-words.ts'
import { FILE, LIMITS, type RawWorkflow } from './keys.ts'
import type { FilePlace, Problem } from './plan.ts'
import { type ReadText, type Say, ValueReader } from './value-reader.ts'

/** Faults of shape are in `problems`, and the paths of their values in `faults`. */
export type YamlFile = {
  raw: RawWorkflow
  problems: Problem[]
  faults: string[]
  places: Map<string, FilePlace>
  /** By path: the texts, as the file has them. */
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
    // The parser stumbles on: of one line the first fault says it.
    if (told.has(place.line)) continue
    told.add(place.line)
    const { what, remedy } = faultOf({ code, message }, source[place.line - 1] ?? '')
    say(place, what, remedy)
  }
  if (problems.length > 0) return { problems: problems.slice(0, 20) }
  const values = new ValueReader(parsed, text, placeAt, say)
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

/** A list or group with a fault in it is left out as a whole: the places of its values are counted. */
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
