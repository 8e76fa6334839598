// Sorts the names in an agent's `tools`: our own sets, and names that its backend knows.

import { TOOL_SETS, USUAL_SETS } from '../core/principal.ts'
import type { BackendAgent } from './backend.ts'

/** Our sets among the names in `tools`; `workflow` is always included. */
export function setsIn(tools: readonly string[]): string[] {
  return USUAL_SETS.filter((set) => tools.includes(set))
}

export function ownToolsIn(tools: readonly string[]): string[] {
  return tools.filter((tool) => !isSet(tool))
}

function isSet(tool: string): boolean {
  return TOOL_SETS.some((set) => set === tool)
}

/** A problem for each name in `tools` that is neither one of our sets nor known to the backend. */
export function unknownTools(
  { name, backend, tools }: BackendAgent,
  own: readonly string[],
  isOwn = (tool: string) => own.includes(tool),
): string[] {
  const known = [...USUAL_SETS, ...own].join(', ')
  return ownToolsIn(tools)
    .filter((tool) => !isOwn(tool))
    .map(
      (tool) =>
        `agent ${name}: ${JSON.stringify(tool)} is not a tool of the backend ${backend}; it takes ${known}`,
    )
}

/** Also accepts partly allowed tools: Bash(git diff:*), run_shell_command(git diff). */
export function isWholeOrPart(tools: readonly string[]): (name: string) => boolean {
  return (name) => tools.includes(/^(\w+)\(.+\)$/s.exec(name)?.[1] ?? name)
}
