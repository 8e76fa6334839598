import type { EffectEnd } from '../../core/requests/effect-record.ts'
import { carryOut } from '../../wake/effects.ts'
import { aFlag, aNumber, aText, maybe, orNull } from '../kit/answer.ts'
import { id, required } from '../kit/field.ts'
import { command } from '../kit/shell.ts'
import { effectInput } from './effect-input.ts'

/** The supervisor: the broker starts one for each effect, as a process of its own. */
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
        ...{ store, allowedCommands, launcher, signal },
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
    exit_code: maybe(orNull(aNumber('of its program'))),
    reason: maybe(aText('why it failed')),
    unheard: maybe(aFlag<true>('set if its end could not be recorded')),
  },
  lines: () => '',
})
