import { isPerson } from '../core/agent.ts'
import { refuse } from '../core/error.ts'
import { DEFAULT_SETS, TOOL_SETS } from '../core/principal.ts'
import { choices, required, self } from './field.ts'
import { query } from './operation.ts'

export const mcp = query({
  name: 'mcp',
  summary: 'Serve tools to an AI agent over standard input and output (MCP).',
  about:
    'For the configuration of an agent’s program, which starts it and ends it by closing its input. Every call is made in the name given with --agent: whoever may write the store’s file may claim any name, here as in the shell. Speaks the protocol of 2026-07-28 and the one before it, whichever the program opens with.',
  fields: {
    agent: required(self('in whose name every call is made')),
    sets: choices(TOOL_SETS, 'which tools to offer', { default: DEFAULT_SETS.join(',') }),
  },
  callers: ['person', 'system'],
  blocks: true,
  streams: true,
  refusals: ['invalid_input'],
  async run({ speakMcp, signal }, { agent, sets = [...DEFAULT_SETS] }) {
    if (speakMcp === undefined) {
      throw refuse('invalid_input', 'mcp speaks on standard input and output; use the shell')
    }
    const kind = isPerson(agent) ? 'person' : 'agent'
    await speakMcp({ principal: { kind, name: agent, proof: 'claim' }, sets, signal })
    return { agent, sets }
  },
})
