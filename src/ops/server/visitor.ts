// The caller of the MCP door over HTTP. The HTTP door identifies it; doors never import each other.

import type { Principal, ToolSet } from '../../core/principal.ts'
import type { DoorHouse } from '../call.ts'

export type McpVisitor = {
  house: DoorHouse
  principal: Principal
  /** The tool sets the caller asked for. If undefined, the usual sets for the address apply. */
  sets: readonly ToolSet[] | undefined
  /** Unlisted tools to list anyway. */
  tools: readonly string[]
  /** Whether the call was made to a workspace's address. */
  isAtWorkspace: boolean
  /** If set, every call is refused with this message to the caller's model. */
  misplaced?: string
  instance?: string
  /** Ends a wait without ending the HTTP request, which is answered with the current state. */
  signal: AbortSignal
  /** Collects the work to do once it's known whether the complete answer was delivered. */
  owe: (work: OwedWork) => void
}

/** Work to do once it's known whether an answer was delivered. */
export type OwedWork = {
  /** False if there is nothing to do in either case. */
  isLeft: () => boolean
  over: (isTaken: boolean) => void
}
