// Running workflows: how people see them, write to them and stop them. The test plays the runner: it holds the instance
// and obeys stop requests as the real one does.

import { expect } from 'bun:test'
import type { Mailroom } from '../../../src/bin/compose.ts'
import { plusSeconds } from '../../../src/core/time.ts'
import { WAKE_LEASE } from '../../../src/core/waking/wake-record.ts'
import { beginWake } from '../../../src/wake/wake-life.ts'
import { endInstance } from '../../../src/workflows/instance-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { begin, besideDoor, loseRunner, obey } from '../../worlds/instances.ts'
import { refused } from '../../worlds/refused.ts'

const ALONE = {
  instance: 'helper',
  workflow: 'helper',
  source: '',
  standalone: true,
  provider: 'none',
  dir: '',
  channel_file: '',
  document: '',
  documents: [],
  members: [{ name: 'helper', agent_id: 'helper', backend: 'command', model: '' }],
} as const

behaves('workflow-list/running', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    await begin(room, { ...ALONE, documents: [], members: [...ALONE.members] })
    await world.inbox.mailSend({ from: 'lead', to: 'coder@pr-1', body: 'Hi' })
    await world.inbox.agentStatus({ agent: 'reviewer@pr-1', status: 'running' })
    await world.inbox.agentStatus({ agent: 'coder@pr-1', status: 'dormant' })
    const { agents } = await world.inbox.workflowList({})
    const source = '/work/review.yaml'
    expect(agents).toMatchObject([
      { name: 'helper', source: '', status: 'idle', unread: 0 },
      { name: 'reviewer@pr-1', instance: 'pr-1', workflow: 'review', source, status: 'running' },
      { name: 'coder@pr-1', source, status: 'idle', unread: 1, run: 1, ended: '' },
    ])
  }),
)

behaves('workflow-list/none', (world) =>
  besideDoor(world, async (room) => {
    expect((await world.inbox.workflowList({})).agents).toEqual([])
    expect(await world.inbox.workflowStop({ all: true })).toMatchObject({ stopped: [], still: [] })
    const { token } = await begin(room)
    await endInstance(room.store, { instance: 'pr-1', token }, 'idle')
    expect((await world.inbox.workflowList({})).agents).toEqual([])
  }),
)

behaves('workflow-list/all', (world) =>
  besideDoor(world, async (room) => {
    const { token } = await begin(room, {}, ['coder'])
    await begin(room, { instance: 'pr-2' }, ['coder'])
    await begin(room, { instance: 'pr-3' }, ['coder'])
    await endInstance(room.store, { instance: 'pr-1', token }, 'no_kickoff')
    await loseRunner(room, 'pr-2')
    const names = async (all: boolean) =>
      (await world.inbox.workflowList({ all })).agents.map(({ name, status, ended }) =>
        [name, status, ended].join(' ').trim(),
      )
    expect(await names(false)).toEqual(['coder@pr-3 idle'])
    expect(await names(true)).toEqual([
      'coder@pr-1 ended no_kickoff',
      'coder@pr-2 lost',
      'coder@pr-3 idle',
    ])
  }),
)

behaves('workflow-stop/whole', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    const [answer] = await Promise.all([
      world.inbox.workflowStop({ target: '@pr-1' }),
      obey(room, 'pr-1'),
    ])
    expect(answer).toMatchObject({
      stopped: [
        { name: 'reviewer@pr-1', instance: 'pr-1', ended: 'stopped' },
        { name: 'coder@pr-1', instance: 'pr-1', ended: 'stopped' },
      ],
      still: [],
    })
    expect(world.exitOf(answer)).toBe(0)
    expect(await room.store.instance('pr-1')).toMatchObject({ stops: 1, stop_agents: [] })
    await refused(world.inbox.workflowStop({ target: '@pr-9' }), 'not_found')
    const again = await world.inbox.workflowStop({ target: '@pr-1' })
    expect(again.stopped).toEqual(answer.stopped)
    expect(await room.store.instance('pr-1')).toMatchObject({ stops: 1 })
  }),
)

behaves('workflow-stop/one', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    const answer = await world.inbox.workflowStop({ target: 'coder@pr-1' })
    expect(answer).toMatchObject({
      stopped: [{ name: 'coder@pr-1', instance: 'pr-1', ended: '' }],
      still: [],
    })
    const listed = async (all: boolean) =>
      (await world.inbox.workflowList({ all })).agents.map(({ name, status }) => [name, status])
    expect(await listed(false)).toEqual([['reviewer@pr-1', 'idle']])
    expect(await listed(true)).toContainEqual(['coder@pr-1', 'stopped'])
    // The other views agree, and the run itself continues.
    const { members } = await world.inbox.workflowContextTeam({ agent: 'user', instance: 'pr-1' })
    expect(members).toMatchObject([{ status: 'idle' }, { status: 'stopped' }])
    const seen = await world.inbox.workflowChannel({ agent: 'user', instance: 'pr-1' })
    expect(seen.instance).toMatchObject({ state: 'running', stop_at: null })
    expect(seen.agents).toMatchObject([{ stopping: false }, { stopping: true, status: 'stopped' }])
    const strange = await refused(world.inbox.workflowStop({ target: 'lead@pr-1' }), 'not_found')
    expect(strange.message).toContain('reviewer@pr-1, coder@pr-1')
    // A standalone agent is stopped by its name. It's the only agent, so its run ends too.
    await begin(room, { ...ALONE, documents: [], members: [...ALONE.members] })
    const [alone] = await Promise.all([
      world.inbox.workflowStop({ target: 'helper' }),
      obey(room, 'helper'),
    ])
    expect(alone.stopped).toEqual([{ name: 'helper', instance: 'helper', ended: 'stopped' }])
  }),
)

behaves('workflow-stop/only', (world) =>
  besideDoor(world, async (room) => {
    const none = await refused(world.inbox.workflowStop({}), 'invalid_state')
    expect(none.message).toContain('nothing runs')
    await begin(room)
    await begin(room, { instance: 'pr-2' })
    const several = await refused(world.inbox.workflowStop({}), 'invalid_input')
    expect(several.message).toContain('@pr-1, @pr-2')
    const both = await refused(world.inbox.workflowStop({ target: 'coder' }), 'invalid_input')
    expect(both.message).toContain('coder@pr-1, coder@pr-2')
    await loseRunner(room, 'pr-2')
    const [answer] = await Promise.all([world.inbox.workflowStop({}), obey(room, 'pr-1')])
    expect(answer.stopped).toHaveLength(2)
    // No other agent was stopped.
    expect(await room.store.instance('pr-2')).toMatchObject({ state: 'running', stops: 0 })
  }),
)

behaves('workflow-stop/all', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, {}, ['coder'])
    await begin(room, { instance: 'pr-2' }, ['coder'])
    await begin(room, { instance: 'pr-3' }, ['coder'])
    await loseRunner(room, 'pr-3')
    const [answer] = await Promise.all([
      world.inbox.workflowStop({ all: true }),
      obey(room, 'pr-1'),
      obey(room, 'pr-2'),
    ])
    expect(answer.stopped.map(({ name, ended }) => `${name} ${ended}`)).toEqual([
      'coder@pr-1 stopped',
      'coder@pr-2 stopped',
      'coder@pr-3 lost',
    ])
    expect((await world.inbox.workflowList({})).agents).toEqual([])
    await refused(world.inbox.workflowStop({ all: true, target: '@pr-1' }), 'invalid_input')
  }),
)

behaves('workflow-stop/late', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, {}, ['coder'])
    const answer = await world.inbox.workflowStop({ target: '@pr-1', timeout_seconds: 1 })
    expect(answer).toMatchObject({ stopped: [], still: [{ name: 'coder@pr-1', ended: '' }] })
    expect(world.exitOf(answer)).toBe(10)
    expect(await room.store.instance('pr-1')).toMatchObject({ state: 'running', stops: 1 })
    const { agents } = await world.inbox.workflowList({})
    expect(agents).toMatchObject([{ status: 'idle' }])
  }),
)

behaves('workflow-stop/lost', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, {}, ['coder'])
    await loseRunner(room, 'pr-1')
    const answer = await world.inbox.workflowStop({ target: '@pr-1' })
    expect(answer).toMatchObject({ stopped: [{ name: 'coder@pr-1', ended: 'lost' }], still: [] })
    expect(await room.store.instance('pr-1')).toMatchObject({ state: 'ended', ended: 'lost' })
  }),
)

behaves('workflow-stop/unwatched', (world) =>
  besideDoor(world, async (room) => {
    const { store, makeId } = room
    const wake = { command: ['true'], types: ['custom' as const], after_seconds: 0 }
    await begin(room, { wake: { 'coder@pr-1': wake } }, ['coder'])
    await world.inbox.workflowSend({ message: 'Begin', to: '@pr-1' })
    await world.clock.advance(1)
    const owner = { instance: 'pr-1', since: await store.now(), holds: async () => true }
    const begun = await beginWake(store, 'coder@pr-1', { makeId, offsetMinutes: () => 0, owner })
    const { wake_id = '' } = begun ?? {}
    await loseRunner(room, 'pr-1')
    await world.sql("delete from settings where name = 'clock'")
    const lapse = plusSeconds(await store.now(), 2)
    await store.write(async (tx) => tx.keep(WAKE_LEASE, { wake_id, expires_at: lapse }))
    const at = performance.now()
    const answer = await world.inbox.workflowStop({ target: '@pr-1', timeout_seconds: 8 })
    expect(performance.now() - at).toBeLessThan(6000)
    expect(answer).toMatchObject({ stopped: [{ name: 'coder@pr-1', ended: 'lost' }], still: [] })
    const wakes = await store.wakes({ agent: 'coder@pr-1', limit: 1 })
    expect(wakes).toMatchObject([{ wake_id, state: 'lost' }])
  }),
)

behaves('workflow-stop/again', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    const wish = { target: 'coder@pr-1', idempotency_key: 'once' }
    const first = await world.inbox.workflowStop(wish)
    expect(await world.inbox.workflowStop(wish)).toEqual(first)
    expect(await room.store.instance('pr-1')).toMatchObject({ stops: 1 })
  }),
)

async function entriesOf({ store }: Mailroom, instance: string) {
  const thread = (await store.instance(instance))?.thread_id ?? ''
  const found = await store.entries({ thread, limit: 50, last: true })
  return found.map(({ from_agent, body }) => `${from_agent}: ${body}`)
}

behaves('workflow-send/agent', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    await begin(room, { instance: 'pr-2' }, ['lead'])
    const answer = await world.inbox.workflowSend({ message: 'Look again', to: 'coder@pr-1' })
    expect(answer).toMatchObject({ instance: 'pr-1', recipients: ['coder@pr-1'], by: 'channel' })
    expect(await entriesOf(room, 'pr-1')).toEqual(['system: Workflow started', 'user: Look again'])
    expect(await room.store.unread('coder@pr-1')).toBe(1)
    expect(await room.store.unread('reviewer@pr-1')).toBe(0)
    // A bare name is enough if only one running workflow has it.
    const short = await world.inbox.workflowSend({ message: 'You too', to: 'reviewer' })
    expect(short.recipients).toEqual(['reviewer@pr-1'])
    await refused(world.inbox.workflowSend({ message: 'Hi', to: 'nobody' }), 'not_found')
    await refused(world.inbox.workflowSend({ message: 'Hi', to: 'role:coder' }), 'invalid_input')
  }),
)

behaves('workflow-send/whole', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    const all = await world.inbox.workflowSend({ message: 'Go on', to: '@pr-1' })
    expect(all.recipients).toEqual(['reviewer@pr-1', 'coder@pr-1'])
    const one = await world.inbox.workflowSend({ message: '@coder go on', to: '@pr-1' })
    expect(one.recipients).toEqual(['coder@pr-1'])
  }),
)

behaves('workflow-send/only', (world) =>
  besideDoor(world, async (room) => {
    await refused(world.inbox.workflowSend({ message: 'Hi' }), 'invalid_state')
    await begin(room)
    const several = await refused(world.inbox.workflowSend({ message: 'Go on' }), 'invalid_input')
    expect(several.message).toContain('reviewer@pr-1, coder@pr-1')
    const mentioned = await world.inbox.workflowSend({ message: 'Go on, @coder' })
    expect(mentioned.recipients).toEqual(['coder@pr-1'])
    await begin(room, { instance: 'pr-2' }, ['lead'])
    const both = await refused(
      world.inbox.workflowSend({ message: 'Go on, @coder' }),
      'invalid_input',
    )
    expect(both.message).toContain('@pr-1, @pr-2')
    await loseRunner(room, 'pr-1')
    const only = await world.inbox.workflowSend({ message: 'Go on' })
    expect(only.recipients).toEqual(['lead@pr-2'])
  }),
)

behaves('workflow-send/mail', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, { ...ALONE, documents: [], members: [...ALONE.members] })
    const answer = await world.inbox.workflowSend({ message: 'Good morning', to: 'helper' })
    expect(answer).toMatchObject({ instance: 'helper', recipients: ['helper'], by: 'mail' })
    expect(answer.messages).toHaveLength(1)
    const { messages } = await world.inbox.mailPeek({ agent: 'helper' })
    expect(messages).toMatchObject([{ from: 'user', body: 'Good morning' }])
    const said = { agent: 'helper', message: 'Hello' }
    const { message } = await refused(world.inbox.workflowContextSend(said), 'invalid_state')
    expect(message).toMatch(/no channel; write to it with .*workflow.?send/i)
  }),
)

behaves('workflow-send/unheard', (world) =>
  besideDoor(world, async (room) => {
    const { token } = await begin(room, {}, ['coder'])
    await loseRunner(room, 'pr-1')
    const kept = await world.inbox.workflowSend({ message: 'Still there?', to: '@pr-1' })
    expect(kept.not_woken).toEqual([
      { recipient: 'coder@pr-1', why: expect.stringContaining('no runner is active for') },
    ])
    await endInstance(room.store, { instance: 'pr-1', token }, 'stopped')
    await refused(world.inbox.workflowSend({ message: 'Still?', to: '@pr-1' }), 'invalid_state')
  }),
)

behaves('workflow-send/not-woken', (world) =>
  besideDoor(world, async (room) => {
    const { store, makeId } = room
    const command = ['true']
    const wake = { command, types: ['custom' as const], after_seconds: 0, max_turns: 1 }
    await begin(room, { wake: { 'coder@pr-1': wake, 'reviewer@pr-1': wake } })
    const told = async (message: string) => {
      const { not_woken } = await world.inbox.workflowSend({ message, to: '@pr-1' })
      return not_woken
    }
    expect(await told('@coder and @reviewer')).toBeUndefined()
    await world.clock.advance(1)
    const owner = { instance: 'pr-1', since: await store.now(), holds: async () => true }
    const around = { makeId, offsetMinutes: () => 0, owner }
    expect(await beginWake(store, 'coder@pr-1', around)).not.toBeNull()
    await world.inbox.workflowStop({ target: 'reviewer@pr-1' })
    const spent = { recipient: 'coder@pr-1', why: expect.stringContaining('its only turn') }
    const stopped = { recipient: 'reviewer@pr-1', why: expect.stringContaining('was stopped') }
    expect(await told('@coder go on')).toEqual([spent])
    expect(await told('@reviewer go on')).toEqual([stopped])
    // Mail reports the same reason, and so do messages from agents.
    const mail = { from: 'user', to: 'reviewer@pr-1', body: 'Are you there?' }
    const { would } = await world.inbox.mailSend({ ...mail, dry_run: true })
    expect(would).toEqual([{ ...stopped, wakes: false }])
    expect((await world.inbox.mailSend(mail)).not_woken).toEqual([stopped])
    const { wakes, why } = await world.inbox.wakeExplain({ agent: 'reviewer@pr-1' })
    expect({ wakes, why }).toEqual({ wakes: false, why: stopped.why })
    // The runner is active, so no other broker is needed.
    expect(await world.inbox.wakeExplain({ agent: 'coder@pr-1' })).toMatchObject({ broker: true })
    const reach = await world.inbox.agentReach({ agent: 'reviewer@pr-1' })
    expect(reach).toMatchObject({ reachable: false, why: stopped.why })
    // The runner doesn't start an agent that is off. It doesn't start one for mail that doesn't wake it, either.
    await begin(room, { instance: 'pr-2', wake: { 'coder@pr-2': wake } }, ['coder'])
    const heard = (type: 'custom' | 'status') =>
      world.inbox.agentReach({ agent: 'coder@pr-2', type })
    expect(await heard('custom')).toMatchObject({ reachable: true, wakes: true })
    expect(await heard('status')).toMatchObject({ reachable: false, wakes: false })
    await world.inbox.agentStatus({ agent: 'coder@pr-2', status: 'off' })
    const off = { reachable: false, wakes: false, why: expect.stringContaining('is off') }
    expect(await heard('custom')).toMatchObject(off)
    const said = { agent: 'reviewer@pr-1', message: '@coder are you?' }
    expect((await world.as(said.agent).workflowContextSend(said)).not_woken).toEqual([spent])
  }),
)

behaves('workflow-send/again', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, {}, ['coder'])
    const wish = { message: 'Go on', idempotency_key: 'once' }
    const first = await world.inbox.workflowSend(wish)
    expect(await world.inbox.workflowSend(wish)).toEqual(first)
    expect(await entriesOf(room, 'pr-1')).toHaveLength(2)
  }),
)

behaves('workflow-peek/shows', (world) =>
  besideDoor(world, async (room) => {
    await begin(room)
    await world.inbox.workflowSend({ message: '@coder fix it, it is urgent', to: '@pr-1' })
    const answer = await world.inbox.workflowPeek({ to: '@pr-1' })
    expect(answer).toMatchObject({
      instance: 'pr-1',
      workflow: 'review',
      source: '/work/review.yaml',
      run: 1,
      state: 'running',
      ended: '',
      agents: [
        { name: 'reviewer@pr-1', status: 'idle', unread: 0, messages: [], last_turn: null },
        {
          name: 'coder@pr-1',
          status: 'idle',
          unread: 1,
          last_turn: null,
          messages: [{ entry: { from: 'user', mentions: ['coder'] }, priority: 'high' }],
        },
      ],
      entries: [
        { from: 'system', message: 'Workflow started' },
        { from: 'user', seq: 2 },
      ],
    })
    const one = await world.inbox.workflowPeek({ to: 'reviewer@pr-1', limit: 1 })
    expect(one.agents).toMatchObject([{ name: 'reviewer@pr-1' }])
    expect(one.entries).toMatchObject([{ seq: 2 }])
    // A member sees that others have mail, but not the mail itself.
    const asReviewer = await world.inbox.workflowPeek({ agent: 'reviewer@pr-1', to: '@pr-1' })
    expect(asReviewer.agents[1]).toMatchObject({ unread: 1, messages: [] })
  }),
)

behaves('workflow-peek/nothing-changes', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, {}, ['coder'])
    await world.inbox.workflowSend({ message: 'Look' })
    const before = await room.store.lastEventId()
    await world.inbox.workflowPeek({})
    await world.inbox.workflowPeek({ to: 'coder@pr-1' })
    expect(await room.store.lastEventId()).toBe(before)
    expect(await room.store.unread('coder@pr-1')).toBe(1)
  }),
)

behaves('workflow-peek/quiet', (world) =>
  besideDoor(world, async (room) => {
    await begin(room, { ...ALONE, documents: [], members: [...ALONE.members] })
    const answer = await world.inbox.workflowPeek({})
    expect(answer.entries).toEqual([])
    expect(answer.agents).toMatchObject([{ name: 'helper', unread: 0, messages: [] }])
  }),
)

behaves('workflow-peek/which', (world) =>
  besideDoor(world, async (room) => {
    await refused(world.inbox.workflowPeek({}), 'invalid_state')
    const { token } = await begin(room)
    await begin(room, { instance: 'pr-2' })
    const { message } = await refused(world.inbox.workflowPeek({}), 'invalid_input')
    expect(message).toContain('@pr-1, @pr-2')
    await refused(world.inbox.workflowPeek({ to: '@pr-9' }), 'not_found')
    await endInstance(room.store, { instance: 'pr-1', token }, 'timeout')
    expect(await world.inbox.workflowPeek({})).toMatchObject({ instance: 'pr-2' })
    const over = await world.inbox.workflowPeek({ to: '@pr-1' })
    expect(over).toMatchObject({ state: 'ended', ended: 'timeout' })
    expect(over.agents[0]).toMatchObject({ status: 'ended' })
  }),
)
