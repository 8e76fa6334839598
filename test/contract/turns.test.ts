import { expect } from 'bun:test'
import { contract } from './engines.ts'

// More writes than fit in one commit, so some are always waiting when a group is done.
const IN_FLIGHT = 300

contract('timers run while writes keep coming', async (place) => {
  const { store } = await place.open()
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const writers = Array.from({ length: IN_FLIGHT }, async () => {
    for (let i = 0; i < 3; i++) await store.write(async () => ({}))
  })
  await Promise.all(writers)
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
})
