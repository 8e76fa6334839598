import type { Refusal } from '../core/error.ts'
import type { ServedStore } from '../doors/http/site.ts'
import type { StartTerminal } from '../ops/kit/operation.ts'
import { makeReadiness } from '../ops/server/readiness.ts'
import { makeTail } from '../ops/server/tail.ts'
import { type Outage, shareBell } from '../wake/shared-bell.ts'
import type { Mailroom } from './compose.ts'

export async function serveStore(
  mailroom: Omit<Mailroom, 'close'> & { terminal?: StartTerminal },
  outage: Outage | undefined,
  report: (error: unknown) => void,
): Promise<ServedStore> {
  const keeper = await mailroom.store.keeper()
  const id = await keeper.storeId(mailroom.makeId('store'))
  const shared = shareBell(mailroom.bell, mailroom.store, outage)
  const { isReady, writes } = makeReadiness(mailroom.store)
  const house = {
    ...mailroom,
    bell: shared.bell,
    store: { ...mailroom.store, ...writes, lookout: shared.lookout },
  }
  let gone: Refusal | undefined
  void mailroom.store.gone.then((why) => {
    gone = why
  })
  return {
    id,
    place: mailroom.store.place,
    house,
    tail: makeTail({ ...house, report }),
    cookie: `inbox_${(await mailroom.digest(id)).slice(0, 12)}`,
    waiters: shared.waiters,
    isReady,
    gone: () => gone,
  }
}
