import { expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { ENGINES, withStore } from './own-store.ts'

// With `alone`, a write doesn't wait for others to join it, so the event loop turn after its answer is short too.
test.each([
  [ENGINES[0], { alone: true }],
  [ENGINES[0], { alone: false }],
  [ENGINES[1], {}],
])(
  '%s %o: a write made right after an answer does not wait for another write',
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
