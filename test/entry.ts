// A sentence of the manifest: what it says, and where it must hold.

import { WORLDS, type WorldName } from './worlds/world.ts'

export type Entry = {
  says: string
  worlds: readonly WorldName[]
  /** Why not every world. */
  why?: string
  /** Why it does not hold yet. Its test must then fail. */
  fails?: string
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

export const FLAGS_ONLY = 'flags and files are the shell’s; the library takes values'
export const SHELL_FORM = 'it is the form of the shell’s own answers'
export const BY_PROGRAM = 'a broker starts programs, which the library does not'
export const SAME_DECISION = 'the table is about decisions, which no door makes'
