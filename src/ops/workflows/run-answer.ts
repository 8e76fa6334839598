// The answer of `workflow run` and `workflow start`: how it ended, and the end of each agent's output.

import type { InstanceEnd } from '../../core/workflows/instance.ts'
import type {
  AgentReport,
  DocumentReport,
  RunnerError,
  RunnerReport,
} from '../../workflows/runner-report.ts'
import { aFlag, aList, aNumber, aRow, aText, fieldsOf, maybe } from '../kit/answer.ts'

const AGENT = aRow<AgentReport>('agent of a run', 'one agent, as the run left it', {
  agent: aText('its id'),
  name: aText('its name in the file'),
  turns: aNumber('how many turns it had'),
  unread: aNumber('its unread messages'),
  last: aText('the end of its last output'),
})

const DOCUMENT = aRow<DocumentReport>('document of a run', 'a document that changed', {
  file: aText('its path in the folder'),
  revision: aNumber('its last revision'),
  by: aText('who made that revision'),
})

export const RUN_ERROR = aRow<RunnerError>('error of a run', 'why it did not end as it should', {
  code: aText('how it ended: no_kickoff, timeout, failed, budget, hops, lost or stopped'),
  message: aText('the same for people, with the cause if known'),
})

export const RUN_REPORT = fieldsOf<RunnerReport>({
  ok: aFlag('whether it ended idle or was stopped'),
  error: maybe(RUN_ERROR),
  instance: aText('its name'),
  run: aNumber('which run of the instance, from 1'),
  ended: aText('idle, stopped, no_kickoff, timeout, failed, budget, hops or lost'),
  why: aText('details about the end, or empty'),
  seconds: aNumber('how long it took'),
  turns: aNumber('the turns of all agents'),
  entries: aNumber('the entries in the channel'),
  agents: aList(AGENT, 'in the order of the file'),
  documents: aList(DOCUMENT, 'the documents that changed in this run'),
})

export const WORDS_OF_END: Record<InstanceEnd, string> = {
  idle: 'is done',
  stopped: 'was stopped',
  no_kickoff: 'had nothing to do: the file has no kickoff that mentions an agent',
  timeout: 'ran out of time',
  failed: 'failed',
  budget: 'used up its turns',
  hops: 'ended because its agents only called each other',
  lost: 'was taken over by another runner',
}

/** Programs that read JSON find an error whenever `ok` is false. */
export function errorOf({
  instance,
  ended,
  why,
}: {
  instance: string
  ended: InstanceEnd
  why: string
}): RunnerError {
  const more = why === '' ? '' : `: ${why}`
  return { code: ended, message: `${instance} ${WORDS_OF_END[ended]}${more}` }
}
