import type { EffectEnd } from '../../core/requests/effect-record.ts'
import type { Request } from '../../core/requests/request-record.ts'
import type { Store } from '../../core/store.ts'
import { carryOut } from '../../wake/effects.ts'
import { aFlag, aNumber, aText, maybe, orNull } from '../kit/answer.ts'
import { id, required } from '../kit/field.ts'
import { command } from '../kit/shell.ts'
import { payloadIn } from './payload.ts'
import { decisionOf, warrantBy } from './timeline.ts'

/** The supervisor of one effect, in a process that the broker starts for it. */
export const requestExec = command({
  name: 'request exec',
  summary: 'Start the effect of one approved request and watch over it.',
  internal: true,
  fields: { request: required(id('which request')) },
  writes: 'store',
  callers: ['system'],
  blocks: true,
  refusals: [],
  async run({ store, allowedCommands, shell, signal }, input) {
    const { launcher } = shell
    const report = await carryOut(
      {
        store,
        allowedCommands,
        launcher,
        signal,
        input: (request) => effectInput(store, request),
      },
      input.request,
    )
    if (report.unheard) launcher.leave()
    return report
  },
  answer: {
    started: aFlag('whether its program was started'),
    state: maybe(aText<EffectEnd['state']>('how the effect ended')),
    exit_code: maybe(orNull(aNumber('the exit code of its program'))),
    reason: maybe(aText('why it failed')),
    unheard: maybe(aFlag<true>('set if its end could not be recorded')),
  },
  lines: () => '',
})

export async function effectInput(store: Store, request: Request): Promise<string> {
  const { thread_id: request_id, request_type: type, revision, requester } = request
  const [shown, said, seed] = await Promise.all([
    store.message(request.revision_message),
    request.decision_message === null ? null : store.message(request.decision_message),
    store.warrantSeed(),
  ])
  const asked = shown === null ? {} : payloadIn(shown.payload_json).payload
  const decision = decisionOf(request, said, asked, await warrantBy(seed, request, said))
  if (decision?.warrant === undefined) throw new Error('it was not approved here')
  const { payload, warrant, answer, values, notes } = decision
  const head = { request_id, type, revision, requester, title: shown?.summary ?? '' }
  return `${JSON.stringify({ ...head, payload, answer, values, notes, warrant })}\n`
}
