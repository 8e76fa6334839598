import { type Finding, type Keeper, LOADING } from '../../core/keeping/keeper.ts'
import type { Store } from '../../core/store.ts'
import { aFlag, aList, aRow, aText, CURSOR, maybe } from '../kit/answer.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { checkClock } from './doctor-clock.ts'
import { checkLog } from './doctor-log.ts'
import { checkStanding } from './doctor-standing.ts'

export const doctor = query({
  name: 'doctor',
  example: 'doctor',
  summary: 'Check the store and say what to do about each finding.',
  about:
    'Checks the file or the server, replays the whole log, compares it with the tables, and looks for what needs attention: lapsed leases, mail and queues that nobody reads, wakes that hang, a clock that was ahead.',
  fields: {},
  set: 'none',
  callers: OPERATORS,
  refusals: [],
  async run({ store, digest, progress }) {
    const keeper = await store.keeper()
    const findings = [
      ...(await keeper.inspect()),
      await checkLog({ store, digest, progress }, keeper),
      ...(await checkStanding(store, keeper)),
      await checkClock(store, keeper),
      await checkLoad(keeper),
      identityNote(store),
    ]
    return {
      healthy: findings.every((finding) => finding.ok || finding.warning),
      findings: findings.map(({ check, ok, detail, ...more }) =>
        ok ? { check, ok, detail } : { check, ok, detail, ...more },
      ),
      next_event_id: await store.lastEventId(),
    }
  },
  takesLong: () => 'checking the store',
  verdict: ({ healthy }) => (healthy ? undefined : 'store_unusable'),
  answer: {
    healthy: aFlag('whether nothing is broken'),
    findings: aList(
      aRow<Finding>('finding', 'one thing that was looked at', {
        check: aText('what'),
        ok: aFlag('whether it is as it should be'),
        detail: aText('what was found'),
        warning: maybe(aFlag('worth doing something about, but nothing is broken')),
        remedy: maybe(aText('what to do')),
      }),
      'all that was looked at',
    ),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawFindings(answer, page),
})

async function checkLoad(keeper: Keeper): Promise<Finding> {
  const loading = (await keeper.setting(LOADING)) !== null
  return {
    check: 'import',
    ok: !loading,
    detail: loading ? 'an import did not finish' : 'no import was left half done',
    remedy: 'remove this store and import again',
  }
}

// Stated on every run, because people read doctor when they wonder what is protected.
function identityNote(store: Store): Finding {
  return {
    check: 'identity',
    ok: true,
    detail: `whoever may write ${store.place} may act under any name; names here are not proof`,
  }
}
