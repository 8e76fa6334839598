// The caller, as far as the door knows it. The shell and the library don't check: anyone who can write the store's file
// may use any name. At a server the transport identifies the caller, never an argument.

import type { Instant } from './time.ts'

export const CALLERS = ['agent', 'person', 'service', 'system'] as const
export type Caller = (typeof CALLERS)[number]

/** Groups of tools; an endpoint or a token offers only some. */
export const TOOL_SETS = ['workspace', 'mailbox', 'threads', 'requests', 'workflow'] as const
export type ToolSet = (typeof TOOL_SETS)[number]
/** The default sets. The tools of the workflow set are for a workflow's agents; its runner asks for them explicitly. */
export const USUAL_SETS = TOOL_SETS.filter((set) => set !== 'workflow')

/** Additional rights that a person may grant to a service through its token. */
export const GRANTS = ['decide'] as const
export type Grant = (typeof GRANTS)[number]

/** How the door knows the caller. The holder of a `file` has opened the store itself; `self` is the server. */
export type Proof =
  | 'token'
  // A browser's cookie is sent to every server on its host; only our page also has the page's key.
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
 * Whether a caller at a server only claims its name. The server accepts such a name on its own machine, but the name
 * carries no rights: not the orchestrator's, and none that a person granted to it.
 */
export function isClaimed(caller: { proof?: Proof | undefined } | undefined): boolean {
  return caller?.proof === 'claim' || caller?.proof === 'workspace'
}

export type Principal = {
  kind: Caller
  /** An agent's id, a person's (`user`, `user:NAME`), or the name of a service. */
  name: string
  proof: Proof
  /** The only workspace the caller pushes from and whose pushes it sees. */
  workspace_id?: string
  /** Absent means all. */
  sets?: readonly ToolSet[]
  may?: readonly Grant[]
  token_id?: string
  /** Absent means that it is valid until it is revoked. */
  expires_at?: Instant
}

/**
 * Whether the caller may decide requests at all; each request's policy adds to this. An agent never may. A browser
 * sends its cookie to every server on this machine, including an agent's, so a session proves too little. A service may
 * decide if a person granted it that right.
 */
export function isDecider({ kind, proof, may = [] }: Pick<Principal, 'kind' | 'proof' | 'may'>) {
  if (kind === 'agent' || proof === 'session') return false
  return kind !== 'service' || may.includes('decide')
}

/**
 * The sets the caller can use. People and services push in the name of a workspace's agent, so they need a workspace
 * to push.
 */
export function setsFor({ kind, workspace_id, sets = TOOL_SETS }: Principal): ToolSet[] {
  const canPush = kind === 'agent' || workspace_id !== undefined
  return TOOL_SETS.filter((set) => sets.includes(set) && (canPush || set !== 'workspace'))
}
