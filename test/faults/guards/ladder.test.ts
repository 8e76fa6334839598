import { expect, test } from 'bun:test'
import { ladderFaults } from '../../contract/ladder.ts'
import { withStore } from '../../races/own-store.ts'
import { withMutant } from './mutant.ts'

const PRESENT =
  'presented_by = :by\\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)'
const UNREAD = "state in ('queued', 'presented')"
const READ =
  '\\nunread_at = null\\nwhere thread_id = :thread_id and recipient = :recipient\\nand message_id in (:messages...) -- if :messages\\nand seq <= :upto -- if :upto'
const GUARDS = {
  present: {
    guard: `${PRESENT}\\nand state = 'queued'`,
    without: PRESENT,
    faults: ['read, then present: presented', 'acted, then present: presented'],
  },
  read: {
    guard: `state = case when ${UNREAD} then 'read' else state end,${READ}\\nand (${UNREAD} or unread_at is not null)`,
    without: `state = 'read',${READ}`,
    faults: ['acted, then read: read', 'acted, then show: read', 'bounced, then read: read'],
  },
  act: {
    guard: "state in ('presented', 'read') or (state = 'acted' and unread_at is not null)",
    without: 'true',
    faults: [
      'queued, then speak: acted',
      'bounced, then speak: acted',
      'expired, then answer: acted',
    ],
  },
}

// test/contract/ladder.test.ts runs the same steps on the real sources.
test.each(Object.entries(GUARDS))(
  'without its condition on the state, a step moves a delivery back: %s',
  async (_, { guard, without, faults }) => {
    const file = 'store/sqlite/queries.gen.ts'
    const found = await withMutant({ file, guard, without }, (source) =>
      withStore('sqlite', (store) => ladderFaults(store.address, source)),
    )
    for (const fault of faults) expect(found).toContain(fault)
  },
)
