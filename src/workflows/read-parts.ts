// Turns the parts of a workflow file into parts of the plan: agents, context and setup.

import { resolve } from 'node:path'
import { isReserved } from '../core/agents/agent.ts'
import { quote, refusalIn, refuse } from '../core/error.ts'
import type { Instant } from '../core/time.ts'
import { documentPath } from '../core/workflows/instance-files.ts'
import { cronFault } from '../wake/schedule.ts'
import { NAME, type RawAgent, type RawWorkflow } from './keys.ts'
import { type Fill, type FillPlace, RESERVED_VALUES } from './placeholders.ts'
import type { AgentPlan, ContextPlan, KickoffPiece, SetupStep, Wakeup } from './plan.ts'
import { secondsOf } from './read-values.ts'

export type ReadAround = {
  path: string
  cwd: string
  instance: string
  /** Returns the text of a file next to this one, or why it can't be read. */
  readText: (path: string) => { text: string } | { why: string; remedy: string }
  env: (name: string) => string | undefined
  params: Readonly<Record<string, string>>
  now: Instant
  /** Whether to only check the file: the names of params and environment variables are filled in, not values. */
  checkOnly?: boolean
}

export type Reader = {
  raw: RawWorkflow
  fill: Fill
  around: ReadAround
  /** Reports a problem with the value at a path, or with its key. */
  say: (path: string, what: string, remedy: string) => void
}

const YEAR = 366 * 86_400
/** The prefix of shell variables that hold the values of placeholders. */
const VALUE = 'WORKFLOW_VALUE_'

export const DEFAULTS = {
  dir: '.workflow/${{ instance }}/',
  channel: 'channel.md',
  document: 'notes.md',
} as const

/** `setup` has the names of setup outputs, which agents aren't allowed to use. */
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
    say(path, `${quote(name)} is a reserved name`, 'choose another name')
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

/** A single line that ends in .md or .txt names a file. Any other value is the prompt itself. */
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

/** Where the channel and the documents are. A missing or empty `context` means `provider: file`. */
export function planContext({ raw, fill, around, say }: Reader): ContextPlan {
  const { context } = raw
  const none = { dir: '', channel: DEFAULTS.channel, document: DEFAULTS.document, documents: [] }
  if (context === false) return { provider: 'none', ...none }
  const { provider = 'file', config = {} } = context ?? {}
  if (provider === 'memory' && Object.keys(config).length > 0) {
    say('context.config', 'the provider memory has no files', 'take config out, or provider: file')
  }
  const path = 'context.config'
  const name = (key: string, written: string, channel_file = ''): string => {
    const file = fill.text(`${path}.${key}`, written)
    if (channel_file !== '' && file.toLowerCase() === channel_file.toLowerCase()) {
      if (fill.problems.length > 0) return file
      const at = config.document === undefined && key === 'document' ? 'channel' : key
      const what = `${quote(file)} is the file of the channel and of a document`
      say(`${path}.${at}`, what, 'give each a name of its own')
      return file
    }
    const plain = plainPath(file, { channel_file })
    if (typeof plain === 'string') return plain
    // A name that couldn't be filled in has already been reported.
    if (fill.problems.length === 0) say(`${path}.${key}`, ...plain)
    return file
  }
  const channel = name('channel', config.channel ?? DEFAULTS.channel)
  const document = name('document', config.document ?? DEFAULTS.document, channel)
  const documents = (config.documents ?? []).map((file, at) =>
    name(`documents.${at}`, file, channel),
  )
  const keys = ['document', ...documents.map((_, at) => `documents.${at}`)]
  // Names that differ only in case are the same file on some disks.
  const files = [document, ...documents].map((file) => file.toLowerCase())
  for (const [at, file] of files.entries()) {
    if (files.indexOf(file) === at || fill.problems.length > 0) continue
    say(`${path}.${keys[at]}`, `${quote(file)} is named twice`, 'give each file its own name')
  }
  const dir = fill.text(`${path}.dir`, config.dir ?? DEFAULTS.dir)
  if (dir.trim() === '' && fill.problems.length === 0) {
    say(`${path}.dir`, 'dir is empty', 'name a folder, or leave dir out')
  }
  if (provider === 'memory') return { provider, ...none }
  return { provider, dir: resolve(around.cwd, dir), channel, document, documents }
}

/** Returns the normalized path, or the problem and its remedy. */
function plainPath(file: string, place: { channel_file: string }): string | [string, string] {
  try {
    return documentPath(file, 'the path', place)
  } catch (error) {
    const { message } = refusalIn(error) ?? refuse.invalid_input`${String(error)}`
    const at = Math.max(message.indexOf('; '), message.indexOf(': '))
    return [message.slice(0, at), message.slice(at + 2)]
  }
}

/** The valid names of outputs, by the index of their commands. */
export function namesOfSteps({ raw, say }: Pick<Reader, 'raw' | 'say'>): Map<number, string> {
  const names = new Map<number, string>()
  for (const [index, { as }] of (raw.setup ?? []).entries()) {
    const path = `setup.${index}.as`
    if (as === undefined) continue
    if ((RESERVED_VALUES as readonly string[]).includes(as)) {
      say(path, `${as} is the name of other values`, 'choose another name for this output')
    } else if ([...names.values()].includes(as)) {
      say(path, `two commands of setup are called ${as}`, 'rename one of them')
    } else names.set(index, as)
  }
  return names
}

/**
 * A value never becomes part of a command: a placeholder in the file becomes a shell variable, and the value is passed
 * in the environment.
 */
export function planStep(
  { fill }: Pick<Reader, 'fill'>,
  { shell, as }: { shell: string; as?: string },
  index: number,
  names: ReadonlyMap<number, string>,
): Omit<SetupStep, 'line' | 'column'> {
  const setup = [...names].filter(([at]) => at < index).map(([, name]) => name)
  const later = [...names].filter(([at]) => at >= index).map(([, name]) => name)
  const values: SetupStep['values'] = []
  const parts = fill.parts(`setup.${index}.shell`, shell, 'values and setup', { setup, later })
  const words = parts.map(({ isLiteral, pieces }) => {
    if (isLiteral) return textOf(pieces)
    const variable = `${VALUE}${values.length + 1}`
    const [first] = pieces
    const isOutput = first !== undefined && 'setup' in first
    values.push({ variable, value: isOutput ? first : textOf(pieces) })
    return `\${${variable}}`
  })
  return { shell: words.join(''), written: shell, ...(as === undefined ? {} : { as }), values }
}

export function textOf(pieces: readonly KickoffPiece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}
