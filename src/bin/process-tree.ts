// Identifies processes: the program that started this one, and whether a process is still running.

import fs from 'node:fs'
import { basename } from 'node:path'

export type ProcessFacts = {
  parent: number
  /** Distinguishes a process from a later one with the same id. */
  started: string
  command: string
}

/** Programs start their children through these, so we look at their parents instead. */
const BETWEEN = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'fish',
  'ksh',
  'mksh',
  'ash',
  'busybox',
  'csh',
  'tcsh',
  'nu',
  'env',
  'nice',
  'timeout',
  'time',
  'nohup',
  'setsid',
  'stdbuf',
])

/** The process key of the program that started this process; undefined if unknown. */
export function startingProgram(): string | undefined {
  let pid = process.ppid
  let found = factsOf(pid)
  while (found !== undefined && BETWEEN.has(found.command)) {
    pid = found.parent
    found = factsOf(pid)
  }
  // A Cursor window has several processes, and any of them may start tools or hooks.
  while (found !== undefined && /^cursor/i.test(found.command)) {
    const above = factsOf(found.parent)
    if (above === undefined || !/^cursor/i.test(above.command)) break
    pid = found.parent
    found = above
  }
  // Process 1 adopts orphans, so it isn't the one that started us.
  return found === undefined || pid <= 1 ? undefined : wordFor(pid, found)
}

export function isRunning(word: string, look = factsOf): boolean {
  const pid = Number.parseInt(word, 10)
  const found = look(pid)
  return found !== undefined && wordFor(pid, found) === word
}

/** The key of this process, and a check for whether another process is running. */
export function thisProcess(): { word: string; isRunning: (word: string) => boolean } {
  const { pid } = process
  return { word: wordFor(pid, factsOf(pid) ?? { parent: 0, started: '', command: '' }), isRunning }
}

/** A mark that identifies this process, to leave in a file. */
export function ownMark(): string {
  return `${idSpace()}\n${thisProcess().word}`
}

/** Whether the process that left a mark is known to have ended. False for processes elsewhere: we can't tell. */
export function isGone(mark: string, look = factsOf): boolean {
  const [space, word = ''] = mark.split('\n')
  // A process that couldn't inspect itself left a mark without a start time.
  if (space !== idSpace() || word.endsWith(' ') || isRunning(word, look)) return false
  // If we can't even inspect our own process, we can't tell.
  return look(process.pid) !== undefined
}

/** Process ids are only valid until the machine reboots, and only within one container. */
function idSpace(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Other systems have neither file. There, the start time tells processes apart.
    return ''
  }
}

function wordFor(pid: number, { started }: ProcessFacts): string {
  return `${pid} ${started}`
}

/** Undefined if there is no such process or it's a zombie. */
function factsOf(pid: number): ProcessFacts | undefined {
  return fs.existsSync('/proc/self/stat') ? factsInProc(pid) : factsByPs(pid)
}

export function factsInProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command is in parentheses, and may itself contain parentheses and spaces.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The start time is the 22nd field, in ticks since boot.
    const started = `${boot} ${rest[17]}`
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    return { parent: Number(parent), started, command }
  } catch {
    // The process is gone.
    return undefined
  }
}

export function factsByPs(pid: number): ProcessFacts | undefined {
  const cmd = ['ps', '-o', 'ppid=,state=,lstart=,comm=', '-p', String(pid)]
  try {
    const { stdout } = Bun.spawnSync({ cmd, env: { PATH: process.env.PATH, LC_ALL: 'C' } })
    const found = /^\s*(\d+) +(\S+) +(\S+ +\S+ +\d+ +[\d:]+ +\d+) +(.+?)\s*$/.exec(String(stdout))
    if (found === null) return undefined
    const [, parent, state = '', started = '', command = ''] = found
    if (state.startsWith('Z')) return undefined
    return { parent: Number(parent), started, command: basename(command) }
  } catch {
    // This system has no ps.
    return undefined
  }
}
