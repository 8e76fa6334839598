// Every tool, by set. Their order is the order in which clients list them, and does not change.

import type { ToolSet } from '../../core/principal.ts'
import type { Tool } from './tool.ts'
import { MAILBOX_TOOLS } from './tools-mailbox.ts'
import { THREAD_TOOLS } from './tools-threads.ts'
import { WORKSPACE_TOOLS } from './tools-workspace.ts'

export const TOOLS: readonly Tool[] = [...WORKSPACE_TOOLS, ...MAILBOX_TOOLS, ...THREAD_TOOLS]

export function toolsOf(sets: readonly ToolSet[]): Tool[] {
  return TOOLS.filter(({ set }) => sets.includes(set))
}
