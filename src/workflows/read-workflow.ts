// Reads a workflow file: turns its text into a plan, or into a list of all its problems. Has no side effects.

import { basename, dirname, join, resolve } from 'node:path'
import { quote } from '../core/error.ts'
import { nearest } from '../core/nearest.ts'
import { NAME, type RawParam, type RawWorkflow } from './keys.ts'
import { Fill, type FillName, partsOf } from './placeholders.ts'
import {
  type AgentPlan,
  type FilePlace,
  type FileWarning,
  type KickoffPiece,
  type ParamValue,
  type Problem,
  type ReadWorkflow,
  type WorkflowPlan,
  warningsOf,
} from './plan.ts'
import {
  DEFAULTS,
  namesOfSteps,
  planAgents,
  planContext,
  planStep,
  type ReadAround,
  type Reader,
  textOf,
} from './read-parts.ts'
import { readYaml, type YamlFile } from './read-yaml.ts'

const LONGEST = 10_000

export async function readWorkflow(text: string, around: ReadAround): Promise<ReadWorkflow> {
  const yaml = readYaml(text)
  if (!('raw' in yaml)) return { ...yaml, places: new Map(), agents: [] }
  const { raw, places, faults } = yaml
  const problems = [...yaml.problems]
  const reported = [...faults]
  const say = (path: string, what: string, remedy: string) => {
    // Don't report a value of the wrong shape again, or a value that only seems to be missing because of it.
    if (faults.some((fault) => isWithin(fault, path) || isWithin(path, fault))) return
    reported.push(path)
    problems.push({ ...placeOf(places, path), what, remedy })
  }
  if (!NAME.test(around.instance)) {
    say(
      '',
      `the instance is called ${around.instance}`,
      'use letters, digits, _ and -, a letter first',
    )
  }
  const given = around.checkOnly ? undefined : around.params
  const params = readParams(raw.params ?? [], given, say)
  const fill = new Fill({
    names: namesOf(raw, around, params),
    env: (name) => variable(around, name),
    placeOf: (path) => fillPlace(yaml, path),
    placeAt: yaml.placeAt,
  })
  const reader: Reader = { raw, fill, around, say }
  const names = namesOfSteps(reader)
  const setup = (raw.setup ?? []).map((step, index) => {
    const place = placeOf(places, `setup.${index}.shell`)
    return { ...planStep(reader, step, index, names), ...place }
  })
  const kickoff = (raw.kickoff ?? '').trim() === '' ? undefined : raw.kickoff
  const plan: WorkflowPlan = {
    name: raw.name === undefined ? nameOfFile(around.path) : fill.text('name', raw.name),
    file: around.path,
    instance: around.instance,
    cwd: around.cwd,
    context: planContext(reader),
    agents: await planAgents(reader, [...names.values()]),
    setup,
    params: Object.fromEntries(params),
  }
  if (kickoff !== undefined) {
    plan.kickoff = fill.pieces('kickoff', kickoff, 'values and setup', {
      setup: [...names.values()],
    })
  }
  const isFilled = fill.problems.length === 0
  if (isFilled && (plan.name.trim() === '' || /[\r\n]/.test(plan.name))) {
    say('name', 'the name of the workflow is empty or has several lines', 'write one line')
  }
  // A name may seem unknown only because the invalid value that defines it was left out.
  const isKnown = !faults.some((path) => /^(name|setup|params)(\.|$)/.test(path))
  const all = [...problems, ...(isKnown ? fill.problems : [])].sort(byPlace)
  if (all.length > 0) {
    const isSound = ({ name, model = '' }: AgentPlan) =>
      !reported.some((path) => isWithin(path, `agents.${name}`)) &&
      (isFilled || !(raw.agents[name]?.model ?? model).includes('${{'))
    return { problems: all.slice(0, 50), places, agents: plan.agents.filter(isSound) }
  }
  const warnings = [...checkWarningsOf(raw), ...warningsOf(plan)].map(({ path, ...warning }) => ({
    ...placeOf(places, path),
    ...warning,
  }))
  return { plan, places, warnings }
}

/** The place of a value's key, or else of the value itself or the nearest enclosing value. */
function placeOf(places: YamlFile['places'], path: string): FilePlace {
  const found = places.get(`${path}:`) ?? places.get(path)
  if (found !== undefined) return found
  const shorter = path.slice(0, Math.max(path.lastIndexOf('.'), 0))
  return path === '' ? { line: 1, column: 1 } : placeOf(places, shorter)
}

function fillPlace({ places, texts }: YamlFile, path: string) {
  const place = placeOf(places, path)
  const text = texts.get(path)
  return text === undefined ? { place } : { place, source: { text: text.source, from: text.from } }
}

/** Whether `path` is `outer` or lies below it. */
function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`)
}

export function byPlace(a: Problem, b: Problem): number {
  return (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line || a.column - b.column
}

function nameOfFile(path: string): string {
  return basename(path).replace(/\.ya?ml$/i, '')
}

function variable({ env, checkOnly }: ReadAround, name: string): KickoffPiece[] | undefined {
  const value = env(name) ?? (checkOnly ? name : undefined)
  return value === undefined ? undefined : [{ text: value, mentions: false }]
}

const fromFile = (text: string): KickoffPiece[] => [{ text, mentions: true }]

function namesOf(
  raw: RawWorkflow,
  around: ReadAround,
  params: ReadonlyMap<string, ParamValue>,
): ReadonlyMap<string, FillName> {
  const names = new Map<string, FillName>([
    ['instance', { pieces: () => fromFile(around.instance) }],
    ['workflow.instance', { pieces: () => fromFile(around.instance) }],
    [
      'workflow.name',
      {
        pieces: (fill) =>
          raw.name === undefined ? fromFile(nameOfFile(around.path)) : fill('name', raw.name),
      },
    ],
    ['workflow.dir', { pieces: () => [{ text: dirname(around.path), mentions: false }] }],
  ])
  for (const key of ['channel', 'document'] as const) {
    names.set(`context.${key}`, { pieces: (fill) => fileOf(raw, around, key, fill) })
  }
  for (const { name, required, default: usual } of raw.params ?? []) {
    const value = params.get(name)
    // A missing required param, or a value of the wrong type, has already been reported.
    const isReported = required || usual !== undefined || Object.hasOwn(around.params, name)
    const none = {
      why: `the param ${name} was not given and has no default`,
      remedy: `add --param ${name}=VALUE, or give it a default`,
    }
    const pieces = () => (value === undefined && !isReported ? none : fromFile(`${value ?? ''}`))
    names.set(`params.${name}`, { pieces })
  }
  return names
}

function fileOf(
  { context }: RawWorkflow,
  { cwd }: ReadAround,
  key: 'channel' | 'document',
  fill: (path: string, text: string) => KickoffPiece[],
) {
  if (context === false || context?.provider === 'memory') {
    const why = `there is no file of the ${key} without the provider file`
    return { why, remedy: `leave \${{ context.${key} }} out` }
  }
  const path = 'context.config'
  const { dir = DEFAULTS.dir, [key]: file = DEFAULTS[key] } = context?.config ?? {}
  const folder = resolve(cwd, textOf(fill(`${path}.dir`, dir)))
  return [{ text: join(folder, textOf(fill(`${path}.${key}`, file))), mentions: false }]
}

/** `path` identifies the place in the file. It's empty for a problem on the command line. */
type SayAt = (path: string, what: string, remedy: string) => void

/**
 * The values of params, from --param NAME=VALUE or their defaults. `given` is undefined if the file is only checked. In
 * that case, no param counts as missing, and one without a value gets a stand-in, such as its name.
 */
function readParams(
  declared: readonly RawParam[],
  given: Readonly<Record<string, string>> | undefined,
  say: SayAt,
): Map<string, ParamValue> {
  const values = new Map<string, ParamValue>()
  const names = declared.map(({ name }) => name)
  for (const [index, param] of declared.entries()) {
    if (names.indexOf(param.name) < index) {
      say(`params.${index}.name`, `there are two params ${quote(param.name)}`, 'rename one of them')
      continue
    }
    const value = paramValue(param, given, (key, ...said) => {
      say(key === undefined ? '' : `params.${index}${key}`, ...said)
    })
    if (value !== undefined) values.set(param.name, value)
  }
  for (const name of Object.keys(given ?? {})) {
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    const known = names.length === 0 ? 'it has none' : `its params are ${names.join(', ')}`
    say('', `the file has no param ${quote(name)}`, meant === undefined ? known : `write ${meant}`)
  }
  return values
}

/** `say` takes the param's key that has the problem, or undefined for a value from the command line. */
function paramValue(
  { name, type = 'string', required, default: usual }: RawParam,
  given: Readonly<Record<string, string>> | undefined,
  say: (key: string | undefined, what: string, remedy: string) => void,
): ParamValue | undefined {
  if (required && usual !== undefined) {
    say('.required', `${name} is required and has a default`, 'leave one of them out')
  }
  if (usual !== undefined && !isOfType(usual, type)) {
    const what = `the default of ${name} is ${quote(usual)}`
    say('.default', what, `write a ${type}, or change the type`)
    return undefined
  }
  const text = given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined
  if (text !== undefined) {
    const value = parseParam(type, text)
    if (value === undefined) say(undefined, `--param ${name} is ${quote(text)}`, HOW[type])
    return value
  }
  if (usual !== undefined) return usual
  if (given === undefined) return type === 'string' ? name : type === 'number' ? 0 : false
  if (required) {
    say('', `the param ${name} is required and was not given`, `add --param ${name}=VALUE`)
  }
  return undefined
}

type ParamType = NonNullable<RawParam['type']>

function isOfType(value: ParamValue, type: ParamType): boolean {
  const own: string = typeof value
  return own === type
}

const HOW = {
  string: `keep it under ${LONGEST} characters, without NUL`,
  number: 'write a number such as 3 or 0.5',
  boolean: 'write true or false',
}

function parseParam(type: ParamType, text: string): ParamValue | undefined {
  if (text.length > LONGEST || text.includes('\0')) return undefined
  if (type === 'string') return text
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Names whose value may differ between starts. */
const VARYING = /^(instance|workflow\.instance|params\..*|env\..*)$/

/** Warnings that only a check gives, because a start that runs into the problem is refused. */
function checkWarningsOf({ context }: RawWorkflow): FileWarning[] {
  const dir = context === false ? undefined : context?.config?.dir
  if (dir === undefined) return []
  if (partsOf(dir).some((part) => 'name' in part && VARYING.test(part.name))) return []
  const what = 'all instances share this folder, so only one of them can run at a time'
  return [{ path: 'context.config.dir', what, remedy: 'put ${{ instance }} into it' }]
}
