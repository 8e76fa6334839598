import { refuse } from '../../core/error.ts'
import type { TurnEnd } from '../../workflows/turn.ts'
import { aFlag, aNumber, aText, orNull } from '../kit/answer.ts'
import { path, required, self, text } from '../kit/field.ts'
import { command } from '../kit/shell.ts'

/** One turn of a workflow's agent, started by its supervisor. */
export const workflowTurn = command({
  name: 'workflow turn',
  summary: 'Take one turn of an agent of a workflow.',
  internal: true,
  fields: {
    agent: required(self('the agent')),
    plan: required(path('the plan of its run')),
    digest: required(text('the digest of that plan', { max: 128 })),
  },
  writes: 'nothing',
  callers: ['system'],
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  async run(context, input): Promise<TurnEnd> {
    const [host, { takeWorkflowTurn }] = await Promise.all([
      context.shell.workflows(),
      import('../../workflows/turn.ts'),
    ])
    const wake = host.env.INBOX_WAKE
    if (wake === undefined)
      throw refuse.invalid_input`only a runner starts this; use 'inbox workflow run'`
    return takeWorkflowTurn(
      { ...context, host },
      { plan: input.plan, digest: input.digest, agent_id: input.agent, wake },
    )
  },
  exit: ({ ok, exit }) => (ok ? 0 : exit === null || exit === 0 ? 1 : exit),
  answer: {
    ok: aFlag('whether it ended well'),
    exit: orNull(aNumber('the exit code of its program')),
    why: aText('why it failed, or empty'),
    last: aText('the end of its last output'),
  },
  lines: () => '',
})
