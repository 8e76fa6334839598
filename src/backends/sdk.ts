// The backend `sdk`: an agent that is a model with a conversation and tools, without a separate program.

import type { Backend } from './backend.ts'
import { OWN_TOOLS } from './sdk/names.ts'
import { placeOf } from './sdk/provider.ts'
import { unknownTools } from './tools.ts'

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
