import { expect } from 'bun:test'
import { join } from 'node:path'
import { SCHEMA_VERSION } from '../../src/store/schema-version.gen.ts'
import { contract, type Place } from './engines.ts'

const SOURCE = join(import.meta.dir, '../../src/index.ts')

contract(
  'twenty processes that make one new store at once all find it made, once',
  async (place) => {
    const options = place.name === 'sqlite delete' ? { journal: 'delete' } : {}
    const script = `
      const { connect } = await import(${JSON.stringify(SOURCE)})
      const at = ${JSON.stringify(place.address)}
      // Ready, and waiting for the word: then all are there at the same moment.
      process.stdout.write('ready')
      await new Promise((resolve) => process.stdin.once('data', resolve))
      let made = 0
      const options = { ...${JSON.stringify(options)}, onCreate: () => { made += 1 } }
      const inbox = await connect(at, options)
      await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
      await inbox.close()
      process.stdout.write(String(made))
      process.exit(0)`
    const children = Array.from({ length: 20 }, () =>
      Bun.spawn([process.execPath, '-e', script], {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'pipe',
      }),
    )
    const outcomes = children.map(async (child) => {
      const reader = child.stdout.getReader()
      const words = new TextDecoder()
      const ready = words.decode((await reader.read()).value)
      return { ready, reader, words, child }
    })
    const waiting = await Promise.all(outcomes)
    for (const { child } of waiting) {
      child.stdin.write('go')
      child.stdin.end()
    }
    let made = 0
    for (const { ready, reader, words, child } of waiting) {
      const { value } = await reader.read()
      const errors = await new Response(child.stderr).text()
      expect({ ready, errors, exit: await child.exited }).toEqual({
        ready: 'ready',
        errors: '',
        exit: 0,
      })
      made += Number(words.decode(value))
    }
    expect(made).toBe(1)
    const migrations = await place.sql('select number from migrations order by number')
    expect(migrations).toEqual(
      Array.from({ length: SCHEMA_VERSION }, (_, i) => ({ number: i + 1 })),
    )
    const inbox = await place.connect()
    expect((await inbox.list({})).threads).toHaveLength(20)
    const { findings } = await inbox.doctor({})
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
  },
  60_000,
)

contract('a store of a newer program that this one cannot read is refused', async (place) => {
  const inbox = await place.connect()
  await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  await inbox.close()
  await raise(place, '0002_everything_else', 1)
  const error = await place.open().then(
    () => undefined,
    (refusal: unknown) => refusal as Error & { code: string },
  )
  expect(error).toMatchObject({ name: 'Refusal', code: 'store_unusable' })
  expect(error?.message).toContain('0002_everything_else')
  expect(error?.message).toContain('upgrade this program')
  expect(await place.sql('select count(*) as n from events')).toEqual([{ n: 1 }])
})

contract('a store of a newer program that this one can still read is used', async (place) => {
  const inbox = await place.connect()
  const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Hello' })
  await inbox.close()
  await raise(place, '0002_one_more_index', 0)
  const later = await place.connect()
  expect((await later.claim({ agent: 'worker' })).thread?.thread_id).toBe(thread.thread_id)
  // And it is left as it is: not brought down to what this program knows.
  expect(await versionOf(place)).toBe(SCHEMA_VERSION + 1)
})

contract('opening a store that is current changes nothing in it', async (place) => {
  await (await place.connect()).close()
  const before = await place.sql('select * from migrations')
  await (await place.connect()).close()
  expect(await place.sql('select * from migrations')).toEqual(before)
  expect(await versionOf(place)).toBe(SCHEMA_VERSION)
})

/** What a newer program would have left behind. */
async function raise(place: Place, name: string, breaking: number): Promise<void> {
  const next = SCHEMA_VERSION + 1
  await place.sql(
    'insert into migrations (number, name, breaking) values (?, ?, ?)',
    next,
    name,
    breaking,
  )
  if (place.engine === 'sqlite') await place.sql(`pragma user_version = ${next}`)
}

async function versionOf(place: Place): Promise<number> {
  const [row] =
    place.engine === 'sqlite'
      ? await place.sql('select user_version as n from pragma_user_version')
      : await place.sql('select max(number) as n from migrations')
  return row?.n as number
}
