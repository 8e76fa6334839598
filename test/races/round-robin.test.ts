import { expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import type { Mailed } from '../programs/mailer.ts'
import { startProgram, startTogether } from '../programs/start.ts'
import { ENGINES, withStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

const SENDERS = 20
const EACH = 10
const MEMBERS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus']

test.each(ENGINES)(
  '%s: twenty parallel senders to a role keep its turns',
  async (engine) => {
    await withStore(engine, async (store) => {
      const client = await connect(store.address)
      for (const agent of MEMBERS) {
        await client.agentRegister({ agent, role: 'builder', status: 'idle' })
      }
      await client.close()

      const programs = await startTogether(SENDERS, (i) =>
        startProgram<Mailed>('mailer', [store.address, `sender${i}`, 'role:builder', String(EACH)]),
      )
      const told = (await Promise.all(programs.map((program) => program.rest()))).flat()
      expect(programs.map((program) => program.stderr()).join('')).toBe('')

      const rows = await store.sql('select recipient, message_id from deliveries order by event_id')
      const stored = rows.map((row) => ({
        id: String(row.message_id),
        recipient: String(row.recipient),
      }))
      const byId = (a: Mailed, b: Mailed) => (a.id < b.id ? -1 : 1)
      expect(stored.toSorted(byId)).toEqual(told.toSorted(byId))
      expect(stored).toHaveLength(SENDERS * EACH)
      // Who has the turn is decided under its lock, and so is the place in the log.
      const turns = stored.map((_, i) => MEMBERS[i % MEMBERS.length])
      expect(stored.map(({ recipient }) => recipient)).toEqual(turns as string[])
      expect(await findingsOf(store.address)).toEqual([])
    })
  },
  60_000,
)
