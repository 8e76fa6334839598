// A workspace is a registered folder: agents push from it, and people read its files. It can be removed but is never
// deleted, so its pushes can still report that it is gone.

import { isAgentId } from '../agents/address.ts'
import { isReserved } from '../agents/agent.ts'
import type { RowFrom } from '../shape.ts'
import type { WORKSPACE_FIELDS } from './workspace-record.ts'

export type Workspace = RowFrom<typeof WORKSPACE_FIELDS>

/** The longest label of a workspace or a token, in characters. */
export const LONGEST_LABEL = 200

/** The part of the file system that registering a folder needs. */
export interface Folders {
  /** The folder's real path; refuses if there is no such folder. */
  real(path: string): Promise<string>
}

/** The first of `NAME`, `NAME-2`, `NAME-3`… that is free. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`
    if (!isTaken(name)) return name
  }
}

/** Leaves room for a number at the end. */
const LONGEST = 56

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
