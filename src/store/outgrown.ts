// A program may hold a store open while a newer one brings it up to date. What it then wrote would lack
// what the newer one needs, so every write asks whether the store is still of its own time.

import { type Refusal, refuse } from '../core/error.ts'

export function outgrownRefusal(place: string, migration?: string): Refusal {
  const by = migration === undefined ? '' : ` (${migration})`
  return refuse(
    'store_unusable',
    `${place} was changed by a newer Mailroom${by} while this one had it open; upgrade this program and start it again`,
  )
}
