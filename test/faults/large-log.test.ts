// During a long read, SQLite can't restart its write-ahead log, so it grows. It must stop growing once the read ends.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/index.ts'
import { freshStore } from '../worlds/store.ts'

const MEGABYTE = 1024 * 1024

test('a write-ahead log that grew during a read is emptied by the next writer', async () => {
  const store = await freshStore('sqlite')
  const inbox = await connect(store.address)
  const log = () => statSync(`${store.address}-wal`).size
  const write = (n: number) =>
    inbox.mailSend({ from: 'ann', to: 'bob', body: `${n}`.padEnd(MEGABYTE - 1, 'x') })
  try {
    await inbox.agentRegister({ agent: 'bob', status: 'idle' })
    const reader = new DatabaseSync(store.address)
    reader.exec('begin; select count(*) from events')
    for (let n = 0; n < 18; n++) await write(n)
    expect(log()).toBeGreaterThan(16 * MEGABYTE)
    reader.close()
    // A writer that couldn't restart the log because of a reader tries again after a few more writes.
    for (let n = 0; n < 8; n++) await write(n)
    expect(log()).toBeLessThan(16 * MEGABYTE)
    const { healthy } = await inbox.doctor({})
    expect(healthy).toBe(true)
  } finally {
    await inbox.close()
    await store.remove()
  }
})
