import { expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { makeTail } from '../../src/ops/server/tail.ts'
import { freshStore } from '../worlds/store.ts'

test('a tail that meets a bug says so and rests: it neither spins nor hides it', async () => {
  const place = await freshStore('sqlite')
  const { store, bell, close } = await openMailroom(place.address)
  let looks = 0
  const told = Promise.withResolvers<unknown>()
  const broken = {
    ...store,
    events: () => {
      looks += 1
      return Promise.reject(new TypeError('a bug'))
    },
  }
  const tail = makeTail({ store: broken, bell, report: told.resolve })
  const quiet = { take() {}, reset() {}, reached() {}, revoked() {}, ready: async () => {} }
  const leave = await tail.listen({ filter: {} }, quiet)
  expect(await told.promise).toBeInstanceOf(TypeError)
  const soFar = looks
  // Every turn of the loop that is not a rest would look again.
  for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(looks).toBe(soFar)
  leave()
  await tail.close()
  await close()
  await place.remove()
})
