import { EXIT_OF_END } from '../../workflows/ending.ts'
import type { RunnerReport } from '../../workflows/runner-report.ts'
import { path, required } from '../kit/field.ts'
import { command } from '../kit/shell.ts'
import { RUN_REPORT } from './run-operation.ts'
import type { RunPlanWish } from './run-plan.ts'

/** The background runner, started by `start --background` and `new`. */
export const workflowKeep = command({
  name: 'workflow keep',
  summary: 'Run an instance in the background.',
  internal: true,
  fields: { wish: required(path('what to run')) },
  writes: 'store',
  callers: ['system'],
  blocks: true,
  lasts: true,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  async run(context, input): Promise<RunnerReport> {
    const [host, { runPlan }, { dropWish, readWish }] = await Promise.all([
      context.shell.workflows(),
      import('./run-plan.ts'),
      import('../../workflows/background.ts'),
    ])
    const wish = readWish<RunPlanWish>(input.wish)
    const begun = () => dropWish(input.wish)
    try {
      return await runPlan(context, host, { ...wish, begun, file: input.wish })
    } finally {
      begun()
    }
  },
  exit: ({ ended }) => EXIT_OF_END[ended],
  answer: RUN_REPORT,
  lines: async (answer, page) => (await import('./drawing.ts')).drawReport(answer, page),
})
