// Mail is sent just as its recipients are turned off, so it is stored after their unread mail has bounced. That can't
// happen on SQLite, which has one writer at a time.

import { expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import { startActor } from '../programs/start.ts'
import { withLonelyStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

test('mail stored after its recipients were turned off bounces at the next sweep, with a notice for each', async () => {
  await withLonelyStore('postgres', async (store) => {
    const lead = await connect(store.address, { agent: 'lead' })
    for (const agent of ['ann', 'bob', 'lead']) {
      await lead.agentRegister({ agent })
      await lead.agentStatus({ agent, status: 'idle' })
    }
    const sender = await startActor(store.address, 'lead')
    const held = await sender.hold('mailSend', { to: 'broadcast', body: 'Lunch?' }, 'decided')
    for (const agent of ['ann', 'bob']) await lead.agentStatus({ agent, status: 'off' })
    sender.resume()
    await held.answer
    expect(await lead.sweep({})).toMatchObject({ bounced: 2 })
    expect((await lead.mailPeek({ agent: 'lead' })).messages).toMatchObject([
      { subject: 'Not delivered to ann: ann is off' },
      { subject: 'Not delivered to bob: bob is off' },
    ])
    expect(await findingsOf(store.address)).toEqual([])
    await sender.close()
    await lead.close()
  })
})
