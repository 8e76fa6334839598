// Waiting for new mail.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ids, known, mail } from '../../worlds/mails.ts'
import { until, type World } from '../../worlds/world.ts'

behaves('mail-read/empty', async (world) => {
  await known(world, 'worker')
  const { next_event_id } = await world.inbox.list({})
  for (const timeout_seconds of [undefined, 0]) {
    const answer = await world.as('worker').mailRead({ timeout_seconds })
    expect(answer).toEqual({ messages: [], unread: 0, next_event_id, has_more: false })
    expect(world.exitOf(answer)).toBe(10)
  }
})

behaves('mail-read/waits', async (world) => {
  await known(world, 'worker')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(() => isWaiting(world), 'the reader waits')
  const id = await mail(world)
  const answer = await reading
  expect(ids(answer)).toEqual([id])
  expect(world.exitOf(answer)).toBe(0)
  // With a cursor, mail that is already there doesn't end the wait.
  const since = String(answer.next_event_id)
  const again = world.as('worker').mailRead({ timeout_seconds: 240, since })
  await until(() => isWaiting(world), 'the reader waits again')
  const next = await mail(world)
  expect(ids(await again)).toEqual([next])
})

behaves('mail-read/waits-new', async (world) => {
  await known(world, 'worker')
  const old = await mail(world)
  const worker = world.as('worker')
  expect(ids(await worker.mailRead({ timeout_seconds: 60 }))).toEqual([old])
  await worker.list({})
  // A reader in a loop gets one answer per new message instead of spinning.
  const answers: string[][] = []
  const reads = async (last: () => string | undefined) => {
    for (;;) {
      const found = ids(await worker.mailRead({ timeout_seconds: 240 }))
      answers.push(found)
      await worker.list({})
      if (found.at(-1) === last()) return
    }
  }
  let fresh: string | undefined
  const reading = reads(() => fresh)
  await until(() => isWaiting(world), 'the reader waits')
  fresh = await mail(world)
  await reading
  expect(answers).toEqual([[old, fresh]])
})

behaves('mail-read/waits-in-vain', async (world) => {
  await known(world, 'worker')
  const worker = world.as('worker')
  const shown = [await mail(world), await mail(world)]
  await worker.mailRead({})
  await worker.list({})
  const inVain = await worker.mailRead({ timeout_seconds: 1 })
  expect(inVain).toMatchObject({ messages: [], unread: 2, has_more: false })
  expect(world.exitOf(inVain)).toBe(10)
  // The cursor stays before mail that wasn't listed.
  const since = '0'
  expect(await worker.mailRead({ timeout_seconds: 1, since })).toMatchObject({ next_event_id: 0 })
  expect(ids(await worker.mailRead({}))).toEqual(shown)
})

behaves('mail-read/waits-full', async (world) => {
  await known(world, 'worker')
  const worker = world.as('worker')
  const old = [await mail(world), await mail(world), await mail(world)]
  await worker.mailRead({})
  await worker.list({})
  const reading = worker.mailRead({ timeout_seconds: 240, limit: 2 })
  await until(() => isWaiting(world), 'the reader waits')
  const fresh = await mail(world)
  expect(ids(await reading)).toEqual([fresh])
  await worker.list({})
  expect(await worker.mailRead({ timeout_seconds: 1, limit: 2 })).toMatchObject({ messages: [] })
  expect(ids(await worker.mailRead({}))).toEqual([...old, fresh])
})

async function isWaiting(world: World): Promise<boolean> {
  const [row] = await world.sql('select waiting_until from sightings where agent_id = ?', 'worker')
  return row !== undefined && row.waiting_until !== ''
}

behaves('mail-read/timeout', async (world) => {
  await known(world, 'worker')
  const { next_event_id } = await world.inbox.list({})
  const answer = await world.as('worker').mailRead({ timeout_seconds: 1 })
  expect(answer).toEqual({ messages: [], unread: 0, next_event_id, has_more: false })
  expect(world.exitOf(answer)).toBe(10)
})

behaves('mail-read/waiting', async (world) => {
  await known(world, 'worker')
  const status = async () => (await world.inbox.agentStatus({ agent: 'worker' })).agent.status
  expect(await status()).toBe('idle')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(() => isWaiting(world), 'the reader waits')
  expect(await status()).toBe('running')
  await mail(world)
  await reading
  await world.as('worker').list({})
  expect(await status()).toBe('idle')
})

behaves('mail-read/waiting-at-once', async (world) => {
  await known(world, 'worker')
  await world.inbox.agentStatus({ agent: 'worker', status: 'dormant' })
  await world.clock.advance(1000)
  const [before] = await world.sql('select seen_at from sightings where agent_id = ?', 'worker')
  const reading = world.as('worker').mailRead({ timeout_seconds: 240 })
  await until(async () => {
    const [row] = await world.sql('select seen_at from sightings where agent_id = ?', 'worker')
    return row?.seen_at !== before?.seen_at
  }, 'the reader is seen')
  const sent = await world.inbox.mailSend({ from: 'lead', to: 'broadcast', body: 'All of you' })
  expect(sent.recipients).toEqual(['worker'])
  expect(ids(await reading)).toEqual([sent.message?.id as string])
})
