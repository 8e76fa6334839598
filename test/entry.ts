// A sentence of the manifest, and where it must hold.

import { WORLDS, type WorldName } from './worlds/world.ts'

export type Entry = {
  says: string
  worlds: readonly WorldName[]
  /** Why it isn't proved in every world. */
  why?: string
  /** The doors the sentence is about. */
  own?: DoorMark
  /** Why it does not hold yet. Its test must then fail. */
  fails?: string
}

/** The doors in addition to the library: the program in a shell, HTTP, and the tools of agents' programs. */
export const DOORS = ['cli', 'http', 'mcp'] as const
export type DoorName = (typeof DOORS)[number]

/** Marks a sentence that is about doors, so that proving it through the library isn't enough. */
export type DoorMark = {
  why: string
  doors: readonly DoorName[]
  /** The program does this differently for each engine, so it is tested with both. */
  isOfEngine?: true
}

export const CLI: readonly WorldName[] = ['sqlite/cli', 'postgres/cli']
export const LIBRARY: readonly WorldName[] = ['sqlite/library', 'postgres/library']
export const SQLITE: readonly WorldName[] = ['sqlite/library', 'sqlite/cli']
export const POSTGRES: readonly WorldName[] = ['postgres/library', 'postgres/cli']

export function everywhere(says: string): Entry {
  return { says, worlds: WORLDS }
}

export function only(worlds: readonly WorldName[], why: string, says: string): Entry {
  return { says, worlds, why }
}

/** A sentence that holds everywhere and is about the doors. */
export function atDoors(own: DoorMark, says: string): Entry {
  return { says, worlds: WORLDS, own }
}

export const PRESENTED: DoorMark = {
  why: 'what was shown counts once it has been sent, which only the door knows',
  doors: DOORS,
  isOfEngine: true,
}
export const STOP_BESIDE: DoorMark = {
  why: 'the door adds the stop to every answer',
  doors: DOORS,
  isOfEngine: true,
}
export const WAITING: DoorMark = {
  why: 'the door holds a waiting call and releases it',
  doors: DOORS,
  isOfEngine: true,
}
export const FIRST_USE: DoorMark = {
  why: 'the shell creates the store it will use',
  doors: ['cli'],
  isOfEngine: true,
}
export const WHO_CALLS: DoorMark = { why: 'the door says who calls', doors: DOORS }
export const EVERY_LETTER: DoorMark = {
  why: 'each door has a form for texts and numbers',
  doors: DOORS,
}
export const OWN_FORM: DoorMark = {
  why: 'each door has a form for it: a flag, an argument of a tool',
  doors: ['cli', 'mcp'],
}
export const FLAGS: DoorMark = { why: 'the shell has flags for it', doors: ['cli'] }
export const FILES: DoorMark = { why: 'the shell reads and writes the file', doors: ['cli'] }

export const FLAGS_ONLY = 'flags and files are the shell’s; the library takes values'
export const SHELL_FORM = 'only the shell answers in this form'
export const BY_PROGRAM = 'a broker starts programs, which the library does not'
export const SAME_DECISION = 'the table is about decisions, which no door makes'
