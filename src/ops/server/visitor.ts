// The caller of the MCP door over HTTP. The HTTP door identifies it; doors never import each other.

import type { Principal, ToolSet } from '../../core/principal.ts'
import type { DoorHouse } from '../call.ts'

export type McpVisitor = {
  house: DoorHouse
  principal: Principal
  /** The tool sets the caller asked for; absent means those of the address. */
  sets: readonly ToolSet[] | undefined
  /** Unlisted tools to list anyway. */
  tools: readonly string[]
  /** Whether the call came to a workspace's address. */
  isAtWorkspace: boolean
  /** Why every call is refused here, as a message for the caller's model. */
  misplaced?: string
  instance?: string
  /** Ends a wait without ending the request, which is answered with the current state. */
  signal: AbortSignal
  /** Collects the work to do once it's known whether a complete answer is out. */
  owe: (work: OwedWork) => void
}

/** Work to do once it's known whether an answer is out. */
export type OwedWork = {
  /** False if there is nothing to do in either case. */
  isLeft: () => boolean
  over: (isTaken: boolean) => void
}
