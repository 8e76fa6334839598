// Export and import of what operations alone don't produce: wakes, mail from a mailbox file, old exports.

import { expect } from 'bun:test'
import type { StoreFacts } from '../../src/core/records.ts'
import { WAKE_LEASE } from '../../src/core/waking/wake-record.ts'
import { type Client, connect } from '../../src/index.ts'
import { freshStore } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'
import { exported, filesOf } from './files.ts'

contract('an export and import leave a log with wakes unchanged', async (place) => {
  const { store } = await place.open()
  const inbox = await place.connect()
  await inbox.agentRegister({ agent: 'ann', wake_command: '["true"]', wake_quiet: '22-7' })
  const note = (facts: StoreFacts) =>
    store.write(async (tx) => {
      tx.recordStoreEvent({ agent: 'system', at: await tx.now(), summary: '', facts })
      return {}
    })
  const end = {
    state: 'failed',
    upto_event: 0,
    exit_code: 1,
    reason: 'it fell',
    stderr: ' \n',
  } as const
  await note(begun('wak_1'))
  await note({ type: 'wake_end', wake_id: 'wak_1', agent_id: 'ann', ...end })
  await note(begun('wak_2'))
  // Signs of life aren't in the log and don't affect it.
  await store.write(async (tx) => {
    tx.keep(WAKE_LEASE, { wake_id: 'wak_2', expires_at: '2026-04-01T08:00:00.000Z' })
    return {}
  })
  expect(await logOf(inbox)).toMatchObject({ ok: true })
  await roundTrip(place, inbox)
})

contract('mail imported from a mailbox file is in the log like any other mail', async (place) => {
  const inbox = await place.connect()
  const said = { type: 'question', from: 'agent:ann', to: 'agent:bob', body: 'So?' }
  const at = { createdAt: '2026-01-31T09:00:00Z' }
  const lines = [
    { id: 'msg_1', ...said, read: true, ...at },
    { id: 'msg_2', ...said, read: false, subject: 'Again', ...at },
    { id: 'msg_3', ...said, to: 'broadcast', read: false, ...at },
    { id: 'msg_4', ...said, to: 'role:crew', read: false, metadata: { n: 1 }, ...at },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const brought = await inbox.import({ as: 'mailbox' }, { files: filesOf(text).files })
  expect(brought.rejected).toEqual([])
  expect(await logOf(inbox)).toMatchObject({ ok: true })
  await roundTrip(place, inbox)
})

contract('imports a log from before mail existed', async (place) => {
  const inbox = await place.connect()
  await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })
  const lines = (await exported(inbox)).split('\n')
  const old = lines
    .filter((line) => !line.includes('"agent_register"'))
    .map((line) => line.replace(/,"in_reply_to":null,"issue_id":null,"agent_id":null,"hops":0/, ''))
  expect(old.join('\n')).not.toContain('hops')
  await withCopy(place, async (copy) => {
    const { rejected } = await copy.import({}, { files: filesOf(old.join('\n')).files })
    expect(rejected).toEqual([])
    expect(await logOf(copy)).toMatchObject({ ok: true })
    expect((await copy.mailPeek({ agent: 'worker' })).messages).toHaveLength(1)
  })
})

function begun(wake_id: string): StoreFacts {
  return {
    type: 'wake_start',
    wake_id,
    agent_id: 'ann',
    cause: 'mail',
    upto_event: 0,
    attempt: 1,
    hops: 0,
    token: 'tok',
    expires_at: '2026-03-01T08:00:00.000Z',
  }
}

async function roundTrip(place: Place, inbox: Client): Promise<void> {
  const text = await exported(inbox)
  await withCopy(place, async (copy) => {
    const { rejected } = await copy.import({}, { files: filesOf(text).files })
    expect(rejected).toEqual([])
    expect(await exported(copy)).toBe(text)
    expect(await logOf(copy)).toMatchObject({ ok: true })
  })
}

async function withCopy(place: Place, use: (copy: Client) => Promise<void>): Promise<void> {
  const store = await freshStore(place.engine)
  const copy = await connect(store.address)
  try {
    await use(copy)
  } finally {
    await copy.close()
    await store.remove()
  }
}

async function logOf(inbox: Client) {
  const { findings } = await inbox.doctor({})
  return findings.find(({ check }) => check === 'log')
}
