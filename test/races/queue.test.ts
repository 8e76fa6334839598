import { expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { ENGINES, withStore } from './own-store.ts'

// Alone, a write does not wait for company; then even the turn after its answer is short.
test.each([
  [ENGINES[0], { alone: true }],
  [ENGINES[0], { alone: false }],
  [ENGINES[1], {}],
])(
  '%s %o: a write made in the moment of an answer does not wait for a third',
  async (engine, options) => {
    await withStore(engine, async (store) => {
      const mailroom = await openMailroom(store.address, options)
      for (let i = 0; i < 50; i++) {
        const { value } = await mailroom.store.write(async () => ({ i }))
        expect(value).toEqual({ i })
      }
      await mailroom.close()
    })
  },
)
