// The caller, as far as the door knows it. At the shell and in the library nothing is asked: anybody who
// may write the store's file may use any name. At a server the transport says who calls, never an argument.

import type { Instant } from './time.ts'

export const CALLERS = ['agent', 'person', 'service', 'system'] as const
export type Caller = (typeof CALLERS)[number]

/** Groups of tools; an endpoint or a token offers only some. */
export const TOOL_SETS = ['workspace', 'mailbox', 'threads', 'requests', 'workflow'] as const
export type ToolSet = (typeof TOOL_SETS)[number]
/** The sets that are offered unless others are asked for: a workflow's tools are for its agents, whose runner asks. */
export const USUAL_SETS = TOOL_SETS.filter((set) => set !== 'workflow')

/** The rights that a person may grant to a service beside its sets, with its token. */
export const GRANTS = ['decide'] as const
export type Grant = (typeof GRANTS)[number]

/** How the door knows the caller. The holder of a `file` has opened the store itself; `self` is the server. */
export type Proof =
  | 'token'
  // A browser's cookie, which every server of its host gets; with the key of the page, which only ours has.
  | 'session'
  | 'page'
  | 'socket'
  | 'file'
  | 'workspace'
  | 'claim'
  | 'self'

export function isBrowser({ proof }: { proof: Proof }): boolean {
  return proof === 'session' || proof === 'page'
}

/**
 * Whether a caller at a server has only said who it is. Such a name is believed on the server's own machine, but it
 * carries no rights: not the orchestrator's, and none that a person granted to the name.
 */
export function isClaimed(caller: { proof?: Proof | undefined } | undefined): boolean {
  return caller?.proof === 'claim' || caller?.proof === 'workspace'
}

export type Principal = {
  kind: Caller
  /** An agent's id, a person's (`user`, `user:NAME`), or the name of a service. */
  name: string
  proof: Proof
  /** The one workspace that the caller pushes from, and whose pushes it sees. */
  workspace_id?: string
  /** Absent means all. */
  sets?: readonly ToolSet[]
  /** The rights that a person granted to a service. */
  may?: readonly Grant[]
  token_id?: string
  /** Absent means that it is valid until it is revoked. */
  expires_at?: Instant
}

/**
 * Whether the caller may decide requests at all; the policy of each says more. An agent never does. A browser gives
 * its cookie to every server of this machine, an agent's own among them, so a session proves too little. A service
 * decides if a person granted it that.
 */
export function isDecider({ kind, proof, may = [] }: Pick<Principal, 'kind' | 'proof' | 'may'>) {
  if (kind === 'agent' || proof === 'session') return false
  return kind !== 'service' || may.includes('decide')
}

/**
 * The sets that the caller can use. People and services push in the name of a workspace's agent; without a
 * workspace they cannot.
 */
export function setsFor({ kind, workspace_id, sets = TOOL_SETS }: Principal): ToolSet[] {
  const canPush = kind === 'agent' || workspace_id !== undefined
  return TOOL_SETS.filter((set) => sets.includes(set) && (canPush || set !== 'workspace'))
}
