// Reads a workflow file: its text becomes a plan, or a list of everything that is wrong with it. Nothing is started and
// nothing is written.

import { basename, dirname, join, resolve } from 'node:path'
import { planAgents } from './agent-plans.ts'
import { DEFAULTS, planContext } from './context-plan.ts'
import { Fill, type FillName } from './fill.ts'
import { NAME, type RawWorkflow } from './keys.ts'
import { readParams } from './params.ts'
import type {
  AgentPlan,
  FilePlace,
  KickoffPiece,
  ParamValue,
  Problem,
  ReadWorkflow,
  WorkflowPlan,
} from './plan.ts'
import { readYaml, type YamlFile } from './read-yaml.ts'
import type { ReadAround, Reader } from './reader.ts'
import { namesOfSteps, planStep } from './setup-plan.ts'
import { checkWarningsOf, warningsOf } from './warnings.ts'

export async function readWorkflow(text: string, around: ReadAround): Promise<ReadWorkflow> {
  const yaml = readYaml(text)
  if (!('raw' in yaml)) return { ...yaml, places: new Map(), agents: [] }
  const { raw, places, faults } = yaml
  const problems = [...yaml.problems]
  const said = [...faults]
  const say = (path: string, what: string, remedy: string) => {
    // A value of the wrong shape was told of, and so was whatever seems to be missing because of it.
    if (faults.some((fault) => isWithin(fault, path) || isWithin(path, fault))) return
    said.push(path)
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
    plan.kickoff = fill.pieces('kickoff', kickoff, 'run and setup', { setup: [...names.values()] })
  }
  const isFilled = fill.problems.length === 0
  if (isFilled && (plan.name.trim() === '' || /[\r\n]/.test(plan.name))) {
    say('name', 'the name of the workflow is empty or has several lines', 'write one line')
  }
  // A name may be unknown only because the value that gives it was left out.
  const isKnown = !faults.some((path) => /^(name|setup|params)(\.|$)/.test(path))
  const all = [...problems, ...(isKnown ? fill.problems : [])].sort(byPlace)
  if (all.length > 0) {
    const isSound = ({ name, model = '' }: AgentPlan) =>
      !said.some((path) => isWithin(path, `agents.${name}`)) &&
      (isFilled || !(raw.agents[name]?.model ?? model).includes('${{'))
    return { problems: all.slice(0, 50), places, agents: plan.agents.filter(isSound) }
  }
  const warnings = [...checkWarningsOf(raw), ...warningsOf(plan)].map(({ path, ...said }) => ({
    ...placeOf(places, path),
    ...said,
  }))
  return { plan, places, warnings }
}

/** The place of a value, of its key, or of the nearest that holds it. */
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

/** Whether the first path leads to the value at the second, or to one in it. */
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

const own = (text: string): KickoffPiece[] => [{ text, mentions: true }]

function namesOf(
  raw: RawWorkflow,
  around: ReadAround,
  params: ReadonlyMap<string, ParamValue>,
): ReadonlyMap<string, FillName> {
  const names = new Map<string, FillName>([
    ['instance', { pieces: () => own(around.instance) }],
    ['workflow.instance', { pieces: () => own(around.instance) }],
    [
      'workflow.name',
      {
        pieces: (fill) =>
          raw.name === undefined ? own(nameOfFile(around.path)) : fill('name', raw.name),
      },
    ],
    ['workflow.dir', { pieces: () => [{ text: dirname(around.path), mentions: false }] }],
  ])
  for (const key of ['channel', 'document'] as const) {
    names.set(`context.${key}`, { pieces: (fill) => fileOf(raw, around, key, fill) })
  }
  for (const { name, required, default: usual } of raw.params ?? []) {
    const value = params.get(name)
    // One that is required, or whose value is of the wrong type, was told of.
    const isTold = required || usual !== undefined || Object.hasOwn(around.params, name)
    const none = {
      why: `the param ${name} was not given and has no default`,
      remedy: `add --param ${name}=VALUE, or give it a default`,
    }
    const pieces = () => (value === undefined && !isTold ? none : own(`${value ?? ''}`))
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
  const text = (pieces: KickoffPiece[]) =>
    pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const { dir = DEFAULTS.dir, [key]: file = DEFAULTS[key] } = context?.config ?? {}
  const folder = text(fill(`${path}.dir`, dir))
  return [{ text: join(resolve(cwd, folder), text(fill(`${path}.${key}`, file))), mentions: false }]
}
