// Requests in the log: what it says of them comes back.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { asked } from '../../worlds/requests.ts'

behaves('request/replay', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const one = await asked(world, { deciders: ['user:eve'], policy: 'named', risk: 'high' })
  const two = await asked(world, { to: 'user', editable: true })
  await world.inbox.comment({ request: one, body: 'Why?' })
  await world.inbox.requestRevision({ request: two, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request: two, revision: 1, title: 'Less' })
  await world.inbox.approve({ agent: 'user:eve', request: one, revision: 1 })
  await world.inbox.reject({ request: two, revision: 2 })
  await world.inbox.cancelRequest({ agent: 'ann', request: await asked(world) })
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  for (const request of [one, two]) {
    const here = await world.inbox.requestGet({ request })
    expect(await other.inbox.requestGet({ request })).toEqual(here)
  }
})
