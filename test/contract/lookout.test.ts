import { expect } from 'bun:test'
import { contract } from './engines.ts'

contract('every wait learns of a commit by its own backstop, and once', async (place) => {
  const { store } = await place.open()
  const writer = await place.connect()
  const lookouts = [store.lookout(), store.lookout()]
  for (const changed of lookouts) await changed()
  expect(await Promise.all(lookouts.map((changed) => changed()))).toEqual([false, false])

  await writer.send({ from: 'lead', to: 'worker', subject: 'nobody rang' })

  expect(await Promise.all(lookouts.map((changed) => changed()))).toEqual([true, true])
  expect(await Promise.all(lookouts.map((changed) => changed()))).toEqual([false, false])
})

contract('a backstop also notices the clock that tests set', async (place) => {
  const { store } = await place.open()
  const changed = store.lookout()
  await changed()
  await place.clock.advance(60)
  expect(await changed()).toBe(true)
})
