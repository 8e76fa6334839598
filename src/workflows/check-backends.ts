// Asks each agent's backend whether it can run the agent: which tools it knows, and what it needs of the machine.

import { backendOf, type MachineLook } from '../backends/backend.ts'
import type { AgentPlan, FilePlace, Problem, ReadWorkflow } from './plan.ts'
import { byPlace } from './read-workflow.ts'

/** A machine that has every program and every key, for a look at the file alone. */
export const ANY_MACHINE: MachineLook = {
  which: (program) => program,
  env: new Proxy({}, { get: (_, name) => (String(name).endsWith('_KEY') ? 'set' : undefined) }),
}

/** Everything that is wrong: with the file, and with agents that their backends cannot run. */
export async function problemsOf(read: ReadWorkflow, look: MachineLook): Promise<Problem[]> {
  const [said, agents] = 'plan' in read ? [[], read.plan.agents] : [read.problems, read.agents]
  // Setup may make a program that is named by its path, so a path counts as there until its turn.
  const hasSetup = !('plan' in read) || read.plan.setup.length > 0
  const which = (program: string) => (program.includes('/') ? program : look.which(program))
  const here = hasSetup ? { ...look, which } : look
  return [...said, ...(await backendProblems(agents, here, read.places))].sort(byPlace)
}

export async function backendProblems(
  agents: readonly AgentPlan[],
  look: MachineLook,
  places: ReadonlyMap<string, FilePlace> = new Map(),
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const agent of agents) {
    const { check } = await backendOf(agent.backend)
    for (const said of check(agent, look)) {
      const at = said.indexOf('; ')
      const what = at < 0 ? said : said.slice(0, at)
      const remedy = at < 0 ? 'change the agent' : said.slice(at + 2)
      problems.push({ ...placeOf(agent, said, places), what, remedy })
    }
  }
  return problems
}

/** The tool that is spoken of, or else the agent. */
function placeOf(
  { name, tools }: AgentPlan,
  said: string,
  places: ReadonlyMap<string, FilePlace>,
): FilePlace {
  const path = `agents.${name}`
  const tool = tools.findIndex((one) => said.includes(JSON.stringify(one)))
  const place = tool < 0 ? undefined : places.get(`${path}.tools.${tool}`)
  return place ?? places.get(`${path}:`) ?? { line: 1, column: 1 }
}
