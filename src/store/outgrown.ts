// Every write asks, in its own transaction, whether the store may be written to at all. A program may hold a store open
// while a newer one brings it up to date, and what it then wrote would lack what the newer one needs. And a store into
// which an import has not finished is not whole: what was written there would have to be thrown away with it.

import { type Refusal, refuse } from '../core/error.ts'

export function outgrownRefusal(place: string, migration?: string): Refusal {
  const by = migration === undefined ? '' : ` (${migration})`
  return refuse(
    'store_unusable',
    `${place} was changed by a newer Mailroom${by} while this one had it open; upgrade this program and start it again`,
  )
}

export function loadingRefusal(place: string): Refusal {
  return refuse(
    'store_unusable',
    `an import into ${place} has not finished, so nothing else is written there; wait for it or, if it was ended before its time, remove this store and import again`,
  )
}
