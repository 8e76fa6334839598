// A client writes to an empty store while an import into it is still reading its file. One of the two is refused,
// because ids can't be shared.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Client, connect } from '../../src/index.ts'
import { ENGINES, withStore } from '../races/own-store.ts'
import type { TestStore } from '../worlds/store.ts'

const NO_FILES = { write: async () => {}, read: async function* () {}, setAside() {}, aside: '' }

/** The log of another store, with at least this many events. */
async function exported(folder: string, events: number): Promise<string> {
  const source = await connect(join(folder, 'source.db'), { agent: 'lead' })
  for (let n = 0; n < events; n += 1) await source.send({ to: 'worker', subject: `loaded ${n}` })
  let text = ''
  const write = async (more: string) => {
    text += more
  }
  await source.export({}, { files: { ...NO_FILES, write } })
  await source.close()
  return text
}

/** Imports the parts of a file. A function among the parts is called before the next part is read. */
function importing(client: Client, parts: (string | (() => Promise<unknown>))[]) {
  const read = async function* () {
    for (const part of parts) {
      if (typeof part === 'string') yield new TextEncoder().encode(part)
      else await part()
    }
  }
  return client.import({ as: 'log' }, { files: { ...NO_FILES, read } })
}

async function withTwo(
  engine: TestStore['engine'],
  use: (one: Client, other: Client, store: TestStore) => Promise<void>,
) {
  await withStore(engine, async (store) => {
    const one = await connect(store.address, { agent: 'user' })
    const other = await connect(store.address, { agent: 'ann' })
    await use(one, other, store)
    await one.close()
    await other.close()
  })
}

const NO_LONGER_EMPTY = {
  code: 'invalid_state',
  message: expect.stringMatching(/already has a log.*import into a new store/),
}
/** Ignores one finding of doctor: the test server doesn't flush. */
async function isWhole(client: Client): Promise<boolean> {
  const { findings } = await client.doctor()
  return findings.every(({ check, ok }) => ok || check === 'durability')
}
const subjects = async (client: Client) =>
  (await client.list()).threads.map(({ subject }) => subject).sort()

test.each(ENGINES)(
  '%s: an import is refused if another client wrote before its first batch',
  async (engine) => {
    await withTwo(engine, async (one, other, { folder }) => {
      const text = await exported(folder, 3)
      const write = () => other.send({ to: 'worker', subject: 'acknowledged' })
      await expect(importing(one, [text, write])).rejects.toMatchObject(NO_LONGER_EMPTY)
      expect(await subjects(other)).toEqual(['acknowledged'])
      expect(await isWhole(other)).toBe(true)
      await other.send({ to: 'worker', subject: 'goes on' })
    })
  },
)

test.each(ENGINES)(
  '%s: an import of a fully pruned log, which is only a header, is refused too',
  async (engine) => {
    await withTwo(engine, async (one, other, { folder }) => {
      const [header = ''] = (await exported(folder, 1)).split('\n')
      const pruned = `${JSON.stringify({ ...JSON.parse(header), floor: 9 })}\n`
      const write = () => other.send({ to: 'worker', subject: 'acknowledged' })
      await expect(importing(one, [pruned, write])).rejects.toMatchObject(NO_LONGER_EMPTY)
      expect(await subjects(other)).toEqual(['acknowledged'])
      expect(await isWhole(other)).toBe(true)
    })
  },
)

test.each(ENGINES)('%s: one of two imports into the same store is refused', async (engine) => {
  await withTwo(engine, async (one, other, { folder }) => {
    const text = await exported(folder, 3)
    const first = () => importing(other, [text])
    await expect(importing(one, [text, first])).rejects.toMatchObject(NO_LONGER_EMPTY)
    expect(await subjects(other)).toEqual(['loaded 0', 'loaded 1', 'loaded 2'])
    expect(await isWhole(other)).toBe(true)
  })
})

test.each(ENGINES)(
  '%s: an import during which other writes are refused stores all its batches',
  async (engine) => {
    await withTwo(engine, async (one, other, { folder }) => {
      const text = await exported(folder, 210)
      const refused = async () => {
        const send = other.send({ to: 'worker', subject: 'Lost' })
        await expect(send).rejects.toMatchObject({ code: 'store_unusable' })
      }
      await importing(one, [text, refused])
      expect((await other.list({ limit: 1 })).threads).toHaveLength(1)
      expect(await isWhole(other)).toBe(true)
    })
  },
)
