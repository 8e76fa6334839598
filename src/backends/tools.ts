// Reads an agent's `tools` (our sets, and names that its backend knows) and its `model`, written as PROVIDER/MODEL.

import { TOOL_SETS, USUAL_SETS } from '../core/principal.ts'
import type { BackendAgent } from './backend.ts'

/** Our tool sets that `tools` names, except `workflow`, which every agent has. */
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

/** Also accepts partially allowed tools, such as Bash(git diff:*) and run_shell_command(git diff). */
export function isWholeOrPart(tools: readonly string[]): (name: string) => boolean {
  return (name) => tools.includes(/^(\w+)\(.+\)$/s.exec(name)?.[1] ?? name)
}

/** Splits the model at the first slash into provider and name. Without a slash, there's no provider. */
export function splitModel(model: string): { provider: string | undefined; name: string } {
  const at = model.indexOf('/')
  return at < 0
    ? { provider: undefined, name: model }
    : { provider: model.slice(0, at), name: model.slice(at + 1) }
}

/** Checks a model for a program that only runs models of one provider. */
export function onlyFrom(program: string, provider: string, example: string) {
  return (model: string): string | undefined => {
    const { provider: given, name } = splitModel(model)
    if (name === '') return `the model ${JSON.stringify(model)} has no name; write ${example}`
    if (given === undefined || given === provider) return undefined
    return `${program} runs only models of ${provider}, and ${JSON.stringify(model)} is not one; write ${example}, or choose another backend`
  }
}
