import { EXIT_OF_END } from '../../workflows/ending.ts'
import type { RunnerReport } from '../../workflows/runner-report.ts'
import type { BareContext } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'
import { RUN_FIELDS, RUN_OPERATION, RUN_REPORT, type RunInput, wishFor } from './run-operation.ts'

export const workflowRun = command({
  name: 'workflow run',
  example: 'workflow run review.yaml',
  summary: 'Run a workflow file until its agents have nothing left to do.',
  about:
    'Checks the file and what its agents need, runs setup, sends the kickoff, and starts agents when someone mentions them. It ends when no agent is working, none has unread mail that starts it, and it has been quiet for two seconds. Exit code 0 means idle; 10 that there was no kickoff or time ran out; 1 that an agent failed three times in a row, the turns were used up, or agents only kept calling each other. Running a file allows its commands for this run.',
  fields: RUN_FIELDS,
  ...RUN_OPERATION,
  // Don't create a store for a file that can't run; a run in memory has a temporary store anyway.
  storeless: { when: () => true, run },
  run,
  takesLong: () => 'running a workflow',
  exit: ({ ended }) => EXIT_OF_END[ended],
  answer: RUN_REPORT,
  lines: async (answer, page) => (await import('./drawing.ts')).drawReport(answer, page),
})

async function run(context: AtShell<BareContext>, input: RunInput): Promise<RunnerReport> {
  const [host, { runPlan }] = await Promise.all([
    context.shell.workflows(),
    import('./run-plan.ts'),
  ])
  return runPlan(context, host, await wishFor(host, input, 'run'))
}
