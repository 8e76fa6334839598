// A workspace is a folder that is registered: agents push from it, and people read its files. It is never
// forgotten, only removed, so that what was pushed from it can say that it is gone.

import { isAgentId } from '../agents/address.ts'
import { isReserved } from '../agents/agent.ts'
import type { Instant } from '../time.ts'

export type Workspace = {
  workspace_id: string
  label: string
  /** The folder's real path on the machine where it was added. */
  path: string
  /** Who pushes when only the workspace is known, and whom replies then go to. */
  default_agent: string
  added_at: Instant
  updated_at: Instant
  removed_at: Instant | null
}

/** Of a workspace or a token, in characters. */
export const LONGEST_LABEL = 200

/** What is needed of the file system to register a folder. */
export interface Folders {
  /** The folder's real path; a refusal when there is none. */
  real(path: string): Promise<string>
}

/** The first of `NAME`, `NAME-2`, `NAME-3`… that is free. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`
    if (!isTaken(name)) return name
  }
}

/** So long that a number still fits behind it. */
const LONGEST = 56

/** What an agent may be called after a workspace. */
export function agentNameFrom(label: string): string {
  const word = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, LONGEST)
  return isAgentId(word) && !isReserved(word) ? word : `workspace${word === '' ? '' : `-${word}`}`
}

export function basename(path: string): string {
  return /([^\\/]+)[\\/]*$/.exec(path)?.[1] ?? path
}
