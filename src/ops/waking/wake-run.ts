import { quote } from '../../core/error.ts'
import { type BrokerLine, runBroker } from '../../wake/broker.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { OPERATORS } from '../kit/operation.ts'
import { command } from '../kit/shell.ts'
import { variablesIn, WAKE_ENV } from './wake-env.ts'

export const wakeRun = command({
  name: 'wake run',
  example: 'wake run',
  summary: 'Start sleeping agents when there is mail for them. Runs until interrupted.',
  about:
    'Starts the program of a dormant agent (see agent register --wake-command) when it has unread mail of a waking type, or when its timer is due. The program gets its mail on standard input, one message per line. The mail counts as presented when the agent makes a call, or when the program ends with exit code 0. Several brokers may run on one store: an agent is still started only once. Every start is reported, and every failure with its reason. The effects of approved requests are started too (see request effect). A command that was not set on this machine starts only after wake allow. Programs that are running when the broker ends keep running.',
  fields: WAKE_ENV,
  check: ({ wake_env }) => void variablesIn(wake_env),
  writes: 'store',
  callers: OPERATORS,
  blocks: true,
  refusals: ['invalid_input'],
  async run(context, input) {
    const { store, shell } = context
    const { launcher, say } = shell
    const done = { started: 0, lost: 0, failed: 0, held: 0, effects: 0 }
    const tell = (line: BrokerLine) => {
      if (line.did !== 'effect') done[line.did] += 1
      else if (line.came === 'started') done.effects += 1
      say(line, inWords(line))
    }
    await runBroker({ ...context, launcher, around: variablesIn(input.wake_env), tell })
    return { ...done, next_event_id: await store.lastEventId() }
  },
  answer: {
    started: aNumber('how many were started'),
    lost: aNumber('how many were lost'),
    failed: aNumber('how many could not be started'),
    held: aNumber('how many commands were not allowed'),
    effects: aNumber('how many effects of approvals were started'),
    next_event_id: CURSOR,
  },
  lines: async (answer) => (await import('./drawing.ts')).drawRun(answer),
})

function inWords(line: BrokerLine): string {
  if (line.did === 'effect') {
    const why = line.why === undefined ? '' : `: ${line.why}`
    return `effect of ${line.request_id} (${quote(line.request_type)}) ${line.came}${why}`
  }
  if (line.did === 'held') return `held ${line.agent_id}: ${line.why}`
  const which = `${line.agent_id} (${line.wake_id})`
  if (line.did === 'lost') return `lost ${which}; it is tried again`
  if (line.did === 'failed') return `failed ${which}: ${line.why}`
  const causes = {
    timer: 'by its timer',
    workspace_event: 'because its agent run continues',
    mail: `for ${line.mail} unread`,
  }
  const cause = causes[line.cause]
  return `started ${which} ${cause}${line.attempt > 1 ? `, attempt ${line.attempt}` : ''}`
}
