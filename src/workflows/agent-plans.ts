// The agents of a workflow file.

import { isReserved } from '../core/agents/agent.ts'
import { quote } from '../core/error.ts'
import { cronFault } from '../wake/schedule.ts'
import type { FillPlace } from './fill.ts'
import { NAME, type RawAgent } from './keys.ts'
import type { AgentPlan, Wakeup } from './plan.ts'
import type { Reader } from './reader.ts'
import { secondsOf } from './span.ts'

const YEAR = 366 * 86_400

/** `setup` are the names of its outputs, so that what uses one can be told why it may not. */
export async function planAgents(reader: Reader, setup: readonly string[]): Promise<AgentPlan[]> {
  const agents = Object.entries(reader.raw.agents)
  if (agents.length === 0)
    reader.say('agents', 'there is no agent', 'name at least one under agents:')
  const plans: AgentPlan[] = []
  for (const [name, raw] of agents) plans.push(await planAgent(reader, name, raw, setup))
  return plans
}

async function planAgent(
  reader: Reader,
  name: string,
  raw: RawAgent,
  setup: readonly string[],
): Promise<AgentPlan> {
  const { fill, say } = reader
  const path = `agents.${name}`
  const { backend = 'sdk', tools = [] } = raw
  if (!NAME.test(name)) {
    say(
      path,
      `${quote(name)} cannot be the name of an agent`,
      'use letters, digits, _ and -, a letter first',
    )
  } else if (isReserved(name)) {
    say(path, `${quote(name)} is a name with a meaning of its own`, 'choose another name')
  }
  const isCommand = backend === 'command'
  if (backend === 'sdk' && raw.model === undefined) {
    const remedy = 'add one such as anthropic/claude-sonnet-4-5, or name another backend'
    say(path, `${name} has no model`, remedy)
  }
  if (!isCommand && (raw.system_prompt ?? '').trim() === '') {
    say(path, `${name} has no system_prompt`, 'say what the agent is for')
  }
  if (isCommand && raw.command === undefined) {
    say(
      path,
      `${name} has no command`,
      'add the program and its arguments: command: [sh, agent.sh]',
    )
  }
  if (!isCommand && raw.command !== undefined) {
    say(`${path}.command`, `the backend ${backend} takes no command`, 'add backend: command')
  }
  const around = { setup }
  const text = (key: string, written: string) => fill.text(`${path}.${key}`, written, around)
  const plan: AgentPlan = {
    name,
    backend,
    system_prompt: promptOf(reader, path, raw, setup),
    tools,
  }
  if (raw.model !== undefined) plan.model = text('model', raw.model)
  if (raw.command !== undefined) {
    plan.command = raw.command.map((word, at) => text(`command.${at}`, word))
    if (plan.command[0] === '') {
      say(`${path}.command.0`, 'the program has no name', 'write it as the first word')
    }
  }
  if (raw.timeout !== undefined) plan.timeout_seconds = raw.timeout
  if (raw.max_turns !== undefined) plan.max_turns = raw.max_turns
  if (raw.hops !== undefined) plan.hops = raw.hops
  const wakeup = await wakeupOf(reader, `${path}.wakeup`, raw.wakeup)
  if (wakeup !== undefined) plan.wakeup = wakeup
  return plan
}

/** One line that ends in .md or .txt is a file; everything else is the prompt. */
function promptOf(
  { fill, around, say }: Reader,
  agent: string,
  { system_prompt = '' }: RawAgent,
  setup: readonly string[],
): string {
  const path = `${agent}.system_prompt`
  const file = system_prompt.trim()
  if (!/^[^\n]*\.(md|txt)$/i.test(file)) return fill.text(path, system_prompt, { setup })
  const name = fill.text(path, file, { setup })
  const read = around.readText(name)
  if ('why' in read) {
    say(path, `the prompt file ${quote(name)} ${read.why}`, read.remedy)
    return ''
  }
  const at: FillPlace = { place: { line: 1, column: 1 }, file: name }
  return fill.text(path, read.text, { setup, at })
}

async function wakeupOf(
  { around, say }: Reader,
  path: string,
  written: string | undefined,
): Promise<Wakeup | undefined> {
  if (written === undefined) return undefined
  const seconds = secondsOf(written)
  if (seconds !== undefined) {
    if (seconds >= 1 && seconds <= YEAR) return { every_seconds: seconds }
    say(path, `wakeup is ${quote(written)}`, 'write a time from 1s to 366d')
    return undefined
  }
  const isLine = written.trim().split(/\s+/).length >= 5
  const why = isLine ? await cronFault(written, around.now) : 'it is neither a time nor a cron line'
  if (why === undefined) return { cron: written.trim() }
  const remedy = 'write a time such as 10m, or minute hour day month weekday such as "0 9 * * 1-5"'
  say(path, `wakeup ${quote(written)} cannot be used: ${why}`, remedy)
  return undefined
}
