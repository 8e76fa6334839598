import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { until } from '../../worlds/world.ts'

behaves('mail-read/anothers-wait', async (world) => {
  await world.as('worker').agentRegister({})
  const send = () => world.inbox.mailSend({ from: 'lead', to: 'worker', subject: 'News' })
  await send()
  const waited = { to: 'worker', timeout_seconds: 1 }
  expect((await world.as('user').mailRead(waited)).messages).toEqual([])
  const waiting = world.as('user').mailRead({ to: 'worker', timeout_seconds: 60 })
  await until(async () => {
    await send()
    return (await Promise.race([waiting, undefined])) !== undefined
  }, 'the wait has ended')
  expect((await waiting).messages.length).toBeGreaterThan(0)
})
