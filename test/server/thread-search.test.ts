// A search through more threads than one call examines: it stops, says so, and can be continued.
import { expect, test } from 'bun:test'
import { op, servers } from './serving.ts'

const { start } = servers()

type Found = {
  threads: { thread_id: string; subject: string }[]
  cut: boolean
  next_before: string | null
}

test('a text search examines a limited number of threads, and can be continued to the end', async () => {
  const server = await start()
  const send = (subject: string) => op(server, 'send', { from: 'user', to: 'mica', subject })
  await send('The needle, far down')
  for (let sent = 0; sent < 900; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => send(`Hay ${sent + n}`)))
  }
  const look = async (input: object) => (await op(server, 'list', input)).body as unknown as Found
  const first = await look({ text: 'NEEDLE' })
  expect(first).toMatchObject({ threads: [], cut: true })
  const next = await look({ text: 'NEEDLE', before: first.next_before })
  expect(next).toMatchObject({ threads: [{ subject: 'The needle, far down' }], cut: false })
  expect(next.next_before).toBe(null)
  const oldest = await look({ text: 'needle', oldest_first: true })
  expect(oldest.threads).toHaveLength(1)
  const { body } = await op(server, 'list', { standing: true, limit: 1 })
  expect(body.counts).toMatchObject({ pending: 901 })
}, 60_000)
