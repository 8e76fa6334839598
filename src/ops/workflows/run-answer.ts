// The answer of a run: how it ended, and what its agents said last.

import type {
  AgentReport,
  DocumentReport,
  RunError,
  RunReport,
} from '../../workflows/run-report.ts'
import { aFlag, aList, aNumber, aRow, aText, fieldsOf, maybe } from '../kit/answer.ts'

const AGENT = aRow<AgentReport>('agent of a run', 'one agent, as the run left it', {
  agent: aText('its id'),
  name: aText('its name in the file'),
  turns: aNumber('how many turns it had'),
  unread: aNumber('messages that it has not read'),
  last: aText('its last words'),
})

const DOCUMENT = aRow<DocumentReport>('document of a run', 'a document that changed', {
  file: aText('its path in the folder'),
  revision: aNumber('its last revision'),
  by: aText('who made that'),
})

export const RUN_ERROR = aRow<RunError>('error of a run', 'why it did not end as it should', {
  code: aText('how it ended: no_kickoff, timeout, failed, budget, hops, lost or stopped'),
  message: aText('the same for people, with what is known of the cause'),
})

export const RUN_REPORT = fieldsOf<RunReport>({
  ok: aFlag('whether it ended idle, or because somebody stopped it'),
  error: maybe(RUN_ERROR),
  instance: aText('its name'),
  run: aNumber('which run of the instance, from 1'),
  ended: aText('idle, stopped, no_kickoff, timeout, failed, budget, hops or lost'),
  why: aText('more about the end, or empty'),
  seconds: aNumber('how long it took'),
  turns: aNumber('turns of all agents'),
  entries: aNumber('entries in the channel'),
  agents: aList(AGENT, 'in the order of the file'),
  documents: aList(DOCUMENT, 'the documents that changed in this run'),
})
