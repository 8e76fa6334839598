import { expect } from 'bun:test'
import { contractUnmade } from './engines.ts'

contractUnmade('each wait’s backstop notices a commit once', async (place) => {
  const { store } = await place.open()
  const writer = await place.connect()
  const lookouts = [store.lookout(), store.lookout()]
  const look = () => Promise.all(lookouts.map((lookout) => lookout.changed()))
  await look()
  expect(await look()).toEqual([false, false])

  await writer.send({ from: 'lead', to: 'worker', subject: 'nobody rang' })

  expect(await look()).toEqual([true, true])
  expect(await look()).toEqual([false, false])
})

contractUnmade('a backstop also notices that a test moved the clock', async (place) => {
  const { store } = await place.open()
  const lookout = store.lookout()
  await lookout.changed()
  await place.clock.advance(60)
  expect(await lookout.changed()).toBe(true)
})
