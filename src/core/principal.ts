// Who is calling, as far as the door knows. At the shell and in the library nobody is asked: whoever may
// write the store's file may claim any name. At a server the transport says it, never an argument.

import type { Instant } from './time.ts'

export const CALLERS = ['agent', 'person', 'service', 'system'] as const
export type Caller = (typeof CALLERS)[number]

/** Groups of tools; an endpoint or a token offers only some. */
export const TOOL_SETS = ['workspace', 'mailbox', 'threads'] as const
export type ToolSet = (typeof TOOL_SETS)[number]

/** By what the door knows. A claim is believed only where the docs say that it is; `self` is the server. */
export type Proof = 'token' | 'session' | 'socket' | 'workspace' | 'claim' | 'self'

export type Principal = {
  kind: Caller
  /** An agent's id, a person's (`user`, `user:NAME`), or what a service is called. */
  name: string
  proof: Proof
  /** The one workspace it pushes from, and whose pushes it sees. */
  workspace_id?: string
  /** Absent: all. */
  sets?: readonly ToolSet[]
  token_id?: string
  /** Absent: it is good until it is revoked. */
  expires_at?: Instant
}

/** What it can use. People and services push in the name of a workspace's agent: without one they cannot. */
export function setsFor({ kind, workspace_id, sets = TOOL_SETS }: Principal): ToolSet[] {
  const canPush = kind === 'agent' || workspace_id !== undefined
  return TOOL_SETS.filter((set) => sets.includes(set) && (canPush || set !== 'workspace'))
}
