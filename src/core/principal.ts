// What the door knows about the caller. The shell and the library don't check the name: anyone who can write the
// store's file can use any name. On a server, the transport identifies the caller; an argument never does.

import type { Instant } from './time.ts'

export const CALLERS = ['agent', 'person', 'service', 'system'] as const
export type Caller = (typeof CALLERS)[number]

/** Groups of tools. An endpoint or a token can be limited to some of them. */
export const TOOL_SETS = ['workspace', 'mailbox', 'threads', 'requests', 'workflow'] as const
export type ToolSet = (typeof TOOL_SETS)[number]
/** The default sets. The tools of the workflow set are for a workflow's agents; its runner asks for them explicitly. */
export const USUAL_SETS = TOOL_SETS.filter((set) => set !== 'workflow')

/** Additional rights that a person may grant to a service through its token. */
export const GRANTS = ['decide'] as const
export type Grant = (typeof GRANTS)[number]

/** How the door knows who is calling. With `file`, the caller opened the store itself; `self` is the server. */
export type Proof =
  | 'token'
  // A browser sends its cookie to every server on the host; only our page also has the page's key.
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
 * Whether the caller of a server merely claims its name. The server accepts such names from its own machine, but they
 * carry no rights: neither the orchestrator's nor any that a person granted.
 */
export function isClaimed(caller: { proof?: Proof | undefined } | undefined): boolean {
  return caller?.proof === 'claim' || caller?.proof === 'workspace'
}

export type Principal = {
  kind: Caller
  /** An agent's id, a person's (`user`, `user:NAME`), or the name of a service. */
  name: string
  proof: Proof
  /** If set, the caller can push only from this workspace and sees only that workspace's pushes. */
  workspace_id?: string
  /** If absent, all sets. */
  sets?: readonly ToolSet[]
  may?: readonly Grant[]
  token_id?: string
  /** If absent, the token is valid until it's revoked. */
  expires_at?: Instant
}

/**
 * Whether the caller can decide requests at all; a request's policy can restrict this further. An agent never can. A
 * session isn't enough, because a browser sends its cookie to every server on this machine, including an agent's. A
 * service can decide if a person granted it that right.
 */
export function isDecider({ kind, proof, may = [] }: Pick<Principal, 'kind' | 'proof' | 'may'>) {
  if (kind === 'agent' || proof === 'session') return false
  return kind !== 'service' || may.includes('decide')
}

/**
 * The sets that the caller can use. People and services push on behalf of a workspace's agent, so they can push only if
 * they have a workspace.
 */
export function setsFor({ kind, workspace_id, sets = TOOL_SETS }: Principal): ToolSet[] {
  const canPush = kind === 'agent' || workspace_id !== undefined
  return TOOL_SETS.filter((set) => sets.includes(set) && (canPush || set !== 'workspace'))
}
