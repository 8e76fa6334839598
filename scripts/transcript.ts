// Transcripts in documents, and how they are played. A block marked `console` shows what people type and see: `lead$
// inbox send …` is typed in the terminal called lead, and the lines below it are the output. A command at the end of a
// block is still waiting if its output is at the start of a later block.
// The output must match the document. Ids, times and the folder differ from run to run: an id in the document stands
// for the real id first seen in its place, in later commands too. Pages for people show short ids, so their commands
// run in a terminal.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOver, untilAsleep } from '../test/tools/asleep.ts'

export type Step = {
  terminal: string
  command: string
  output: string
  /** Still running when the block ends; its output comes later. */
  blocks: boolean
  /** The paragraph above the command's block, if the command is the first there. */
  prose: string
  /** The paragraph above the output of a command that blocks. */
  outputProse: string
  line: number
}

/** Replaced by the folder in which a transcript is played. */
export const FOLDER = '/home/you/shop'

const PROMPT = /^([a-z]+)\$ (.*)$/

export function readTranscript(markdown: string): Step[] {
  const steps: Step[] = []
  for (const block of consoleBlocks(markdown)) {
    let current: Step | undefined
    let prose = block.prose
    for (const [i, text] of block.lines.entries()) {
      const line = block.line + i
      const typed = PROMPT.exec(text)
      if (typed !== null) {
        const [, terminal = '', command = ''] = typed
        current = { terminal, command, output: '', blocks: false, prose, outputProse: '', line }
        prose = ''
        steps.push(current)
        continue
      }
      if (current === undefined) {
        current = waitingStep(steps, block)
        if (current === undefined) throw new Error(`line ${line}: output of no command`)
        current.blocks = true
        current.outputProse = prose
        prose = ''
      }
      current.output += `${text}\n`
    }
  }
  return steps
}

type Block = { prose: string; lines: string[]; line: number }

function consoleBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] !== '```console') continue
    const end = lines.indexOf('```', i + 1)
    if (end < 0) throw new Error(`line ${i + 1}: the block has no end`)
    blocks.push({ prose: paragraphAbove(lines, i), lines: lines.slice(i + 1, end), line: i + 2 })
    i = end
  }
  return blocks
}

function paragraphAbove(lines: string[], at: number): string {
  let end = at
  while (lines[end - 1] === '') end -= 1
  let start = end
  while (start > 0 && !/^$|^(#|```|\|)/.test(lines[start - 1] ?? '')) start -= 1
  return lines.slice(start, end).join('\n')
}

/** Output at the start of a block belongs to the last command of the terminal whose prompt comes next. */
function waitingStep(steps: Step[], block: Block): Step | undefined {
  const next = block.lines.find((text) => PROMPT.test(text))
  const terminal = next === undefined ? steps.at(-1)?.terminal : PROMPT.exec(next)?.[1]
  const step = steps.findLast((earlier) => earlier.terminal === terminal)
  return step?.output === '' ? step : undefined
}

export type Played = { step: Step; output: string; code: number; waitedMs: number }

export type Player = {
  /** An empty folder to play in. */
  folder: string
  /** A folder to keep the output files in. */
  scratch: string
  /** The folder of the program. */
  bin: string
  /** Ends the commands that are still running. */
  signal: AbortSignal
  /** Whether the commands run in a terminal, where ids are short. */
  isTerminal?: boolean
  onCommand?: (step: Step, command: string) => void | Promise<void>
  onOutput?: (played: Played) => void
}

/**
 * Plays step by step up to the first difference from the document, and returns a description of it. An empty list means
 * that everything matched.
 */
export async function play(steps: Step[], player: Player): Promise<string[]> {
  const playing = new AbortController()
  const signal = AbortSignal.any([player.signal, playing.signal])
  try {
    return await playAll(steps, { ...player, signal })
  } finally {
    playing.abort()
  }
}

async function playAll(steps: Step[], player: Player): Promise<string[]> {
  const names = new Map<string, string>()
  const sessions = new Map<string, Record<string, string>>()
  const waiting = new Map<string, { step: Step; running: Running }>()
  const problems: string[] = []

  const finish = async (step: Step, running: Running) => {
    const played = { step, ...(await running.ended) }
    player.onOutput?.(played)
    const output = played.output.replaceAll(player.folder, FOLDER)
    const wrong = compare(step.output, output, names, player.isTerminal ? SHORT : ID)
    if (wrong !== undefined) problems.push(`line ${step.line}: $ ${step.command}\n${wrong}`)
    if (played.code !== 0) problems.push(`line ${step.line}: ended with ${played.code}`)
  }

  for (const [i, step] of steps.entries()) {
    const earlier = waiting.get(step.terminal)
    if (earlier !== undefined) {
      // The earlier command's output is above this one, so its terminal is at its prompt again.
      waiting.delete(step.terminal)
      await finish(earlier.step, earlier.running)
    }
    for (const other of waiting.values()) {
      if (other.running.isOver())
        problems.push(`line ${other.step.line}: ${other.step.command} did not wait`)
    }
    const session = sessions.get(step.terminal) ?? {}
    sessions.set(step.terminal, session)
    const ids = player.isTerminal ? SHORT : ID
    const command = step.command.replace(ids, (id) => names.get(id) ?? id)
    await player.onCommand?.(step, command)
    const set = /^export ([A-Z_]+)=(\S+)$/.exec(command)
    if (set !== null) {
      session[set[1] as string] = set[2] as string
      continue
    }
    // A signal that has already fired wouldn't stop a command that is started with it.
    if (player.signal.aborted) return ['interrupted']
    const running = start(command, step.blocks, session, { ...player, index: i })
    if (!step.blocks) await finish(step, running)
    else {
      await running.asleep()
      waiting.set(step.terminal, { step, running })
    }
    if (problems.length > 0) return problems
  }
  for (const { step, running } of waiting.values()) await finish(step, running)
  return problems
}

type Running = {
  ended: Promise<{ output: string; code: number; waitedMs: number }>
  isOver(): boolean
  asleep(): Promise<void>
}

function start(
  command: string,
  blocks: boolean,
  session: Record<string, string>,
  { folder, scratch, bin, signal, index, isTerminal }: Player & { index: number },
): Running {
  const { INBOX_DB: _db, INBOX_AGENT: _agent, ...env } = process.env
  const startedAt = performance.now()
  const words = ['/bin/sh', '-c', blocks ? `exec ${command}` : command]
  const around = { cwd: folder, env: { ...env, PATH: `${bin}:${env.PATH}`, ...session }, signal }
  const { child, output } = isTerminal
    ? atTerminal(words, around)
    : intoFile(words, around, join(scratch, `output-${index}`))
  const ended = child.exited.then(async (code) => ({
    output: await output(),
    code,
    waitedMs: performance.now() - startedAt,
  }))
  return { ended, isOver: () => isOver(child), asleep: () => untilAsleep(child) }
}

type Around = { cwd: string; env: Record<string, string | undefined>; signal: AbortSignal }

/** Both streams go to one file, in the order a terminal would show them. */
function intoFile(words: string[], around: Around, file: string) {
  const fd = openSync(file, 'a', 0o600)
  const child = Bun.spawn(words, { ...around, stdio: ['ignore', fd, fd] })
  closeSync(fd)
  return { child, output: async () => readFileSync(file, 'utf8') }
}

const COLUMNS = 100

function atTerminal(words: string[], around: Around) {
  const decoder = new TextDecoder()
  const closed = Promise.withResolvers<void>()
  let text = ''
  const child = Bun.spawn(words, {
    ...around,
    env: { ...around.env, NO_COLOR: '1', TERM: 'xterm' },
    terminal: {
      cols: COLUMNS,
      data(_, bytes) {
        text += decoder.decode(bytes, { stream: true })
      },
      exit: () => closed.resolve(),
    },
  })
  const output = async () => {
    await closed.promise
    // A line that the program erased, such as its waiting line, is no longer on the screen.
    const lines = text.split('\r\n')
    return lines.map((line) => line.split('\r\u001b[2K').at(-1)).join('\n')
  }
  return { child, output }
}

const ID = /\b(?:thr|msg|art|lse)_[0-9a-z]{26}\b/g
/** A short id in a document: six letters with at least one digit, so that no English word matches. */
const SHORT = /\b(?=[a-z]*\d)[0-9a-hjkmnp-tv-z]{6}\b/g
const WHOLE_ID = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/
/** A real id may have no digit among its letters. */
const SHORT_ID = /^[0-9a-hjkmnp-tv-z]{6}$/
const VARYING: [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>'],
  [
    /\b(?:just )?now\b|\bfor \d+ (?:s|min|h|d)\b|\bin \d+ (?:s|min|h|d)\b|\b\d+ (?:s|min|h|d) ago\b/g,
    '<time>',
  ],
  [/\bSQLite \d[\d.]*/g, 'SQLite <version>'],
  [/\b\d+ bytes\b/g, '<n> bytes'],
  // Columns are as wide as their widest cell, which may be a time.
  [/(\S) {2,}/g, '$1  '],
]

/** Returns the difference, or undefined. New ids in the document are bound to the real ids in the same places. */
export function compare(
  expected: string,
  actual: string,
  names: Map<string, string>,
  ids = ID,
): string | undefined {
  const [said, printed] = [expected, actual].map((text) => normal(text).split(/\s+/)) as [
    string[],
    string[],
  ]
  for (const [i, word] of said.entries()) {
    const [id] = word.match(ids) ?? []
    const real = printed[i]
    if (id === undefined || real === undefined || names.has(id)) continue
    // Both versions have the same punctuation around the id.
    const at = word.indexOf(id)
    const inPlace = real.slice(at, real.length - (word.length - at - id.length))
    if ((id.includes('_') ? WHOLE_ID : SHORT_ID).test(inPlace)) names.set(id, inPlace)
  }
  const want = normal(expected.replace(ids, (id) => names.get(id) ?? id))
  const have = normal(actual)
  const same = sameLines(want.split('\n'), have.split('\n'))
  return same ? undefined : `the document says:\n${want}\nthe program said:\n${have}`
}

// A truncated cell ends earlier if the time before it has become longer.
function sameLines(want: string[], have: string[]): boolean {
  const isSame = (a: string, b: string) => {
    if (!a.endsWith('…') || !b.endsWith('…')) return a === b
    const [short = '', long = ''] = [a, b].sort((x, y) => x.length - y.length)
    return long.startsWith(short.slice(0, -1).trimEnd())
  }
  return want.length === have.length && want.every((line, i) => isSame(line, have[i] as string))
}

function normal(text: string): string {
  return VARYING.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).trimEnd()
}
