// Warnings: things that work and are hardly meant, such as a kickoff that starts nobody.

import { USER } from '../core/agents/agent.ts'
import { nearest } from '../core/nearest.ts'
import { mentionsIn } from '../core/workflows/mentions.ts'
import { finish } from './finish.ts'
import type { RawWorkflow } from './keys.ts'
import { partsOf } from './placeholder.ts'
import type { WorkflowPlan } from './plan.ts'

/** Every name that is written like a mention, whoever has it. */
const MENTION = /@([a-zA-Z][a-zA-Z0-9_-]*)/g

export type FileDoubt = { path: string; what: string; remedy: string }

export function warningsOf(plan: WorkflowPlan): FileDoubt[] {
  const kickoff = finish(plan, new Map())
  if (kickoff === undefined) return []
  const names = plan.agents.map(({ name }) => name)
  const warnings = []
  if (mentionsIn(kickoff.text, { names, within: kickoff.mentionable }).length === 0) {
    const remedy = `mention one: ${names.map((name) => `@${name}`).join(', ')}`
    warnings.push({
      path: 'kickoff',
      what: 'the kickoff mentions no agent, so none begins',
      remedy,
    })
  }
  const written = new Set([...kickoff.text.matchAll(MENTION)].map(([, name = '']) => name))
  for (const name of written) {
    if (names.includes(name) || name === USER) continue
    const meant = nearest(name, names)
    if (meant === undefined) continue
    const what = `the kickoff mentions @${name}, which is not an agent here`
    warnings.push({ path: 'kickoff', what, remedy: `write @${meant}` })
  }
  return warnings
}

/** Names whose value may differ from run to run. */
const VARYING = /^(instance|workflow\.instance|params\..*|env\..*)$/

/** A check warns of these alone: a run that meets the trouble is refused. */
export function checkWarningsOf({ context }: RawWorkflow): FileDoubt[] {
  const dir = context === false ? undefined : context?.config?.dir
  if (dir === undefined) return []
  if (partsOf(dir).some((part) => 'name' in part && VARYING.test(part.name))) return []
  const what = 'all instances share this folder, so only one of them can run at a time'
  return [{ path: 'context.config.dir', what, remedy: 'put ${{ instance }} into it' }]
}
