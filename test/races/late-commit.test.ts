import { expect, test } from 'bun:test'
import { startProgram, startTogether } from '../programs/start.ts'
import type { Shown } from '../programs/tail.ts'
import type { Sent } from '../programs/writer.ts'
import { followLateCommit } from './late-commit.ts'
import { ENGINES, withLonelyStore, withStore } from './own-store.ts'

test('postgres: a cursor never steps over a writer that is slow to commit', async () => {
  await withLonelyStore('postgres', async (store) => {
    const { shown, logged, secondWaited } = await followLateCommit(store)
    expect(secondWaited).toBe(true)
    expect(logged).toHaveLength(3)
    expect(shown).toEqual(logged)
  })
})

test.each([...ENGINES])(
  '%s: sixteen writers, and a reader is shown every event once, in order',
  async (engine) => {
    await withStore(engine, async (store) => {
      const tail = startProgram<Shown>('tail', [store.address])
      await tail.line()
      const writers = await startTogether(16, (i) =>
        startProgram<Sent>('writer', [store.address, `writer${i}`, '1500', '1']),
      )
      const sent = (await Promise.all(writers.map((writer) => writer.rest()))).flat()
      const logged = sent.map(({ event_id }) => event_id).sort((a, b) => a - b)
      const shown: number[] = []
      while (shown.at(-1) !== logged.at(-1)) shown.push(...(await tail.line()).ids)
      tail.signal('SIGKILL')
      expect(logged.length).toBeGreaterThan(200)
      expect(shown).toEqual(logged)
    })
  },
)
