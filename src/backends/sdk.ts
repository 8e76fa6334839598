// The `sdk` backend: the agent is a model with a conversation and tools, without a separate program.

import type { Backend } from './backend.ts'
import { placeOf } from './sdk/provider.ts'
import { unknownTools } from './tools.ts'

/** The names of the backend's own tools, as written in a workflow file. */
export const OWN_TOOLS = ['read_file', 'write_file', 'list_files', 'run_command'] as const

export const SDK: Backend = {
  name: 'sdk',
  tools: OWN_TOOLS,
  check(agent, { env }) {
    const place = placeOf(agent.model, env)
    const problems = typeof place === 'string' ? [`agent ${agent.name}: ${place}`] : []
    return [...problems, ...unknownTools(agent, OWN_TOOLS)]
  },
  async run(task) {
    const { runTurn } = await import('./sdk/turn.ts')
    return runTurn(task)
  },
}
