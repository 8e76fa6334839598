// Instances and their channels in the store: who holds one, what its runs leave in the log, and that all of it is
// replayed, exported, imported and pruned.

import { expect } from 'bun:test'
import { entryOf } from '../../src/core/workflows/channel.ts'
import { INSTANCE_LEASE_SECONDS, isHeld, isToStop } from '../../src/core/workflows/instance.ts'
import { type Client, connect } from '../../src/index.ts'
import { askToStop, endInstance, keepInstance } from '../../src/workflows/instance-life.ts'
import { begin, speak } from '../worlds/instances.ts'
import { DAWN, freshStore } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'
import { exported, filesOf } from './files.ts'

async function states(place: Place, threadId: string) {
  const rows = await place.sql(
    'select recipient, seq, state from deliveries where thread_id = ? order by seq, recipient',
    threadId,
  )
  return rows.map(({ recipient, seq, state }) => `${seq} ${recipient} ${state}`)
}

/** Checks that replaying the log reproduces the tables. */
async function mustBeWhole(inbox: Client): Promise<void> {
  const { findings } = await inbox.doctor({})
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durability')).toEqual([])
}

contract('refuses a second runner until the first is gone', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  await place.clock.set(DAWN)
  const first = await begin(mailroom)
  expect(first.instance).toMatchObject({ run: 1, generation: 1, state: 'running', ended: '' })
  await expect(begin(mailroom)).rejects.toMatchObject({
    code: 'lease_conflict',
    details: { instance: 'pr-1', pid: 4711 },
  })
  const mine = { instance: 'pr-1', token: first.token }
  await place.clock.advance(INSTANCE_LEASE_SECONDS - 1)
  expect(await keepInstance(store, mine, { url: 'http://127.0.0.1:3100' })).toMatchObject({
    url: 'http://127.0.0.1:3100',
    pid: 4711,
  })
  await place.clock.advance(INSTANCE_LEASE_SECONDS - 1)
  await expect(begin(mailroom)).rejects.toThrow('process 4711')
  await place.clock.advance(1)
  const second = await begin(mailroom)
  expect(second.instance).toMatchObject({ run: 2, generation: 2 })
  expect(second.before).toMatchObject({ run: 1, thread_id: first.instance.thread_id })
  // The first runner returns and finds that it no longer holds the instance.
  expect(await keepInstance(store, mine)).toBeNull()
  expect(await endInstance(store, mine, 'idle')).toBe(false)
  const own = { instance: 'pr-1', token: second.token }
  expect(await endInstance(store, own, 'idle')).toBe(true)
  expect(await endInstance(store, own, 'failed')).toBe(false)
  const after = await store.instance('pr-1')
  expect(after).toMatchObject({ state: 'ended', ended: 'idle', expires_at: null })
  expect(after && isHeld(after, await store.now())).toBe(false)
  const ends = await place.sql("select payload_json from events where event_type = 'instance_end'")
  expect(ends.map(({ payload_json }) => JSON.parse(String(payload_json)).ended)).toEqual([
    'lost',
    'idle',
  ])
  const members = await store.agents({ instance: 'pr-1' })
  expect(members.map(({ agent_id, wake }) => [agent_id, wake.runner])).toEqual([
    ['coder@pr-1', 'pr-1'],
    ['reviewer@pr-1', 'pr-1'],
  ])
  await mustBeWhole(await place.connect())
})

contract('a folder has one run at a time and knows whose text it contains', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  await place.clock.set(DAWN)
  const dir = '/work/shared'
  const one = await begin(mailroom, { instance: 'one', dir })
  await expect(begin(mailroom, { instance: 'two', dir })).rejects.toMatchObject({
    code: 'lease_conflict',
    details: { instance: 'one', dir, pid: 4711 },
  })
  // Without a context there is no folder to share.
  await begin(mailroom, { instance: 'three', provider: 'none', dir: '' })
  await begin(mailroom, { instance: 'four', provider: 'none', dir: '' })
  await place.clock.advance(INSTANCE_LEASE_SECONDS)
  const two = await begin(mailroom, { instance: 'two', dir })
  expect(two.before).toEqual({ instance: 'one', run: 1, thread_id: one.instance.thread_id })
  // The first instance went silent and lost its folder, so it can't come back alongside the second.
  expect(await store.instance('one')).toMatchObject({ state: 'ended', ended: 'lost' })
  expect(await keepInstance(store, { instance: 'one', token: one.token })).toBeNull()
  await endInstance(store, { instance: 'two', token: two.token }, 'idle')
  await place.clock.advance(1)
  const again = await begin(mailroom, { instance: 'one', dir, resume: true })
  expect(again.before).toEqual({ instance: 'two', run: 1, thread_id: two.instance.thread_id })
  await endInstance(store, { instance: 'one', token: again.token }, 'idle')
  await place.clock.advance(1)
  const own = await begin(mailroom, { instance: 'one', dir, resume: true })
  expect(own.before).toBeNull()
  await endInstance(store, { instance: 'one', token: own.token }, 'idle')
  await place.clock.advance(1)
  const renamed = await begin(mailroom, { instance: 'one', dir, channel_file: 'talk.md' })
  expect(renamed.before).toBeNull()
  await mustBeWhole(await place.connect())
})

contract('exactly one of many simultaneous runners gets the instance', async (place) => {
  const mailroom = await place.open()
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => begin(mailroom)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await place.sql("select * from threads where kind = 'channel'")).toHaveLength(1)
  expect(await place.sql('select * from instances')).toHaveLength(1)
})

contract(
  'a mention is a delivery, and only a reply to its entry marks it as acted',
  async (place) => {
    const mailroom = await place.open()
    const { store } = mailroom
    await place.clock.set(DAWN)
    const { instance } = await begin(mailroom)
    const { thread_id } = instance
    const one = await speak(mailroom, 'user', '@reviewer look at it; @coder wait, @nobody')
    expect(one).toMatchObject({
      entry: { from: 'user', mentions: ['reviewer', 'coder'], seq: 2, reply_to: null },
      recipients: ['reviewer@pr-1', 'coder@pr-1'],
    })
    const two = await speak(mailroom, 'reviewer@pr-1', '@coder @reviewer fix it')
    expect(two.entry).toMatchObject({ from: 'reviewer', mentions: ['coder'] })
    // Other messages in the channel don't change a mention's state, even after it was shown.
    await speak(mailroom, 'coder@pr-1', 'I am at it')
    expect(await states(place, thread_id)).toEqual([
      '2 coder@pr-1 queued',
      '2 reviewer@pr-1 queued',
      '3 coder@pr-1 queued',
    ])
    await speak(mailroom, 'coder@pr-1', 'Done, @user', { replyTo: two.entry.id })
    expect(await states(place, thread_id)).toEqual([
      '2 coder@pr-1 queued',
      '2 reviewer@pr-1 queued',
      '3 coder@pr-1 acted',
      '5 user queued',
    ])
    const entries = await store.entries({ thread: thread_id, last: true, limit: 2 })
    expect(entries.map((message) => entryOf(message, 'pr-1'))).toMatchObject([
      { seq: 4, from: 'coder', message: 'I am at it', mentions: [] },
      { seq: 5, from: 'coder', mentions: ['user'], reply_to: two.entry.id },
    ])
    const facts = await place.sql(
      "select payload_json from events where event_type = 'channel_say'",
    )
    expect(JSON.parse(String(facts[0]?.payload_json))).toEqual({
      recipients: ['reviewer@pr-1', 'coder@pr-1'],
      priority: 'high',
    })
    await mustBeWhole(await place.connect())
  },
)

contract('refuses entries from outsiders and entries beyond the limits', async (place) => {
  const mailroom = await place.open()
  await expect(speak(mailroom, 'user', 'hello')).rejects.toMatchObject({ code: 'not_found' })
  const { token } = await begin(mailroom)
  await expect(speak(mailroom, 'eve', '@coder')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(speak(mailroom, 'user', ' \n')).rejects.toThrow('is empty')
  await expect(speak(mailroom, 'user', 'x'.repeat(8001))).rejects.toThrow('8001 characters')
  await expect(speak(mailroom, 'user', 'a', { replyTo: 'msg_1' })).rejects.toThrow('no entry')
  await expect(speak(mailroom, 'user', 'a', { to: ['eve'] })).rejects.toThrow(
    'not a member of pr-1',
  )
  // Explicit recipients are added to those in the text, and the whole text is searched for mentions.
  const text = `${'x'.repeat(9000)} @reviewer`
  const long = await speak(mailroom, 'user', text, { shown: 'x…', to: ['coder@pr-1'] })
  expect(long.entry).toMatchObject({ message: 'x…', mentions: ['coder', 'reviewer'] })
  await endInstance(mailroom.store, { instance: 'pr-1', token }, 'idle')
  await expect(speak(mailroom, 'user', 'hello')).rejects.toThrow('has ended')
  await begin(mailroom, { instance: 'quiet', provider: 'none' })
  await expect(speak(mailroom, 'user', 'hi', { instance: 'quiet' })).rejects.toThrow('no context')
})

contract(
  'a new run ends the channel and expires unread mentions, but a resumed run keeps them',
  async (place) => {
    const mailroom = await place.open()
    const { store } = mailroom
    await place.clock.set(DAWN)
    const first = await begin(mailroom)
    await speak(mailroom, 'reviewer@pr-1', '@coder fix it, @user look')
    await endInstance(store, { instance: 'pr-1', token: first.token }, 'stopped')
    const again = await begin(mailroom, { resume: true })
    expect(again).toMatchObject({ resumed: true, before: null })
    expect(again.instance).toMatchObject({ run: 1, generation: 2 })
    const { thread_id } = first.instance
    expect(again.instance.thread_id).toBe(thread_id)
    expect(await states(place, thread_id)).toEqual(['2 coder@pr-1 queued', '2 user queued'])
    await endInstance(store, { instance: 'pr-1', token: again.token }, 'idle')
    const next = await begin(mailroom)
    expect(next.instance).toMatchObject({ run: 2, generation: 3 })
    expect(await states(place, thread_id)).toEqual(['2 coder@pr-1 expired', '2 user queued'])
    expect((await store.thread(thread_id))?.thread.status).toBe('ended')
    await expect(begin(mailroom, { instance: 'other', resume: true })).rejects.toThrow('no run')
    await mustBeWhole(await place.connect())
  },
)

contract('a stop request is logged, for all agents or for some', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  const { token } = await begin(mailroom)
  const held = { instance: 'pr-1', token }
  await askToStop(store, { instance: 'pr-1', agents: ['coder@pr-1'], by: 'user' })
  const asked = await keepInstance(store, held)
  expect(asked && isToStop(asked, 'coder@pr-1')).toBe(true)
  expect(asked && isToStop(asked, 'reviewer@pr-1')).toBe(false)
  await askToStop(store, { instance: 'pr-1', agents: ['reviewer@pr-1'], by: 'user' })
  expect((await store.instance('pr-1'))?.stop_agents).toEqual(['coder@pr-1', 'reviewer@pr-1'])
  const all = await askToStop(store, { instance: 'pr-1', by: 'user' })
  expect(isToStop(all, 'anyone@pr-1')).toBe(true)
  await expect(askToStop(store, { instance: 'x', by: 'user' })).rejects.toThrow('no instance')
  const other = { instance: 'pr-1', agents: ['eve'], by: 'user' }
  await expect(askToStop(store, other)).rejects.toThrow('takes no part')
  await endInstance(store, held, 'stopped')
  await expect(askToStop(store, { instance: 'pr-1', by: 'user' })).rejects.toThrow('not run')
  expect((await begin(mailroom)).instance).toMatchObject({ stops: 3, stop_at: null })
  await mustBeWhole(await place.connect())
})

contract(
  'refuses to start a workflow with an agent that has its own wake command',
  async (place) => {
    const mailroom = await place.open()
    const inbox = await place.connect()
    await inbox.agentRegister({ agent: 'coder@pr-1', wake_command: '["true"]' })
    await expect(begin(mailroom)).rejects.toThrow('wake command of its own')
  },
)

contract('an export and import leave instances unchanged', async (place) => {
  const mailroom = await place.open()
  await place.clock.set(DAWN)
  const command = ['inbox', 'workflow', 'turn']
  const wake = { 'coder@pr-1': { command, cwd: '/work', max_turns: 3 } }
  const first = await begin(mailroom, { wake })
  const said = await speak(mailroom, 'reviewer@pr-1', '@coder fix it')
  await speak(mailroom, 'coder@pr-1', 'Done, @user @reviewer', { replyTo: said.entry.id })
  await askToStop(mailroom.store, { instance: 'pr-1', by: 'user' })
  await endInstance(mailroom.store, { instance: 'pr-1', token: first.token }, 'stopped')
  const { gone } = await begin(mailroom, { wake }, ['coder'])
  expect(gone).toEqual(['reviewer@pr-1'])
  const log = await exported(await place.connect())
  const copy = await freshStore(place.engine)
  const inbox = await connect(copy.address)
  try {
    const { files } = filesOf(log)
    expect(await inbox.import({}, { files })).toMatchObject({ rejected: [] })
    await mustBeWhole(inbox)
    expect(await exported(inbox)).toBe(log)
  } finally {
    await inbox.close()
    await copy.remove()
  }
})
