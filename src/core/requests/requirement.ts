// A requirement says what an agent must ask people about before doing it: a type of request, or the use of a tool. The
// policy of an agent consists of all requirements that apply to it.
// It's up to the agent to comply with a required type. The use of a tool is also blocked by the hook of the agent's
// program, if it's installed (src/ops/clients/tool-hook.ts).

import { isAgentId, isRole, isRoleName } from '../agents/address.ts'
import { isFree } from '../agents/agent.ts'
import { isObject, type Json } from '../json.ts'

const LONGEST_REQUIREMENT = 200
const TOOL = 'tool:'
const TYPE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
/** The name of a tool, optionally with a pattern in parentheses. A star matches anything. */
const TOOL_PATTERN = /^([A-Za-z0-9_.:*-]+)(?:\((.+)\))?$/s

/** Whether this is a type of request, or `tool:` with a pattern. */
export function isRequirement(text: string): boolean {
  if (text.length > LONGEST_REQUIREMENT || text.includes('\n')) return false
  return text.startsWith(TOOL) ? TOOL_PATTERN.test(text.slice(TOOL.length)) : TYPE.test(text)
}

/** Whether this is an agent's name or `role:ROLE`, the only names a requirement can apply to. */
export function isRequirementHolder(name: string): boolean {
  return isRole(name) ? isRoleName(name.slice('role:'.length)) : isAgentId(name) && isFree(name)
}

/**
 * The agent names whose requirements apply to this agent: its full name and the name it was started with. The second
 * session of a program is NAME-2, and a workflow's agent is NAME@INSTANCE.
 */
export function namesBehind(agent: string): string[] {
  const [own = agent] = agent.split('@')
  const names = [agent, own, own.replace(/-\d+$/, ''), agent.replace(/-\d+(?=@|$)/, '')]
  return [...new Set(names)]
}

/** The first requirement that covers this use of a tool; undefined if there is none. */
export function requirementOfTool(
  requirements: readonly string[],
  tool: string,
  args: Json,
): string | undefined {
  return requirements.find((one) => {
    if (!one.startsWith(TOOL)) return false
    const [, name = '', within] = TOOL_PATTERN.exec(one.slice(TOOL.length)) ?? []
    if (!matches(name, tool)) return false
    return within === undefined || textsIn(args).some((text) => matches(within, text))
  })
}

/**
 * The strings that a pattern in parentheses is compared with. A command line is compared as a whole and command by
 * command, so requiring `rm *` also covers `cd x && rm y`.
 */
function textsIn(args: Json): string[] {
  if (!isObject(args)) return []
  const { command } = args
  if (typeof command !== 'string') {
    return Object.values(args).filter((value) => typeof value === 'string')
  }
  const parts = command.split(/[;&|\n\r`(){}]+/).map((part) => part.trim())
  return [command, ...parts.filter((part) => part !== '')]
}

/** Whether the text matches the pattern, in which a star matches anything. Runs in roughly linear time. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
