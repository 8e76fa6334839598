// How a run ended, in words, and as the error of one that did not end as it should.

import type { InstanceEnd } from '../../core/workflows/instance.ts'
import type { RunError } from '../../workflows/run-report.ts'

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

/** Programs that read JSON find an error wherever `ok` is false. */
export function errorOf({
  instance,
  ended,
  why,
}: {
  instance: string
  ended: InstanceEnd
  why: string
}): RunError {
  const more = why === '' ? '' : `: ${why}`
  return { code: ended, message: `${instance} ${WORDS_OF_END[ended]}${more}` }
}
