// Sorts the names in an agent's `tools`: our own sets, and names that its backend knows.

import { TOOL_SETS, USUAL_SETS } from '../core/principal.ts'
import type { BackendAgent } from './backend.ts'

/** The sets of ours among the names in `tools`; `workflow` is always there. */
export function setsIn(tools: readonly string[]): string[] {
  return USUAL_SETS.filter((set) => tools.includes(set))
}

export function ownToolsIn(tools: readonly string[]): string[] {
  return tools.filter((tool) => !isSet(tool))
}

function isSet(tool: string): boolean {
  return TOOL_SETS.some((set) => set === tool)
}

/** One problem for each name in `tools` that is neither a set of ours nor a name that the backend knows. */
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

/** Also knows a tool that is allowed in part: Bash(git diff:*), run_shell_command(git diff). */
export function isWholeOrPart(tools: readonly string[]): (name: string) => boolean {
  return (name) => tools.includes(/^(\w+)\(.+\)$/s.exec(name)?.[1] ?? name)
}
