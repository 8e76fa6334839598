// Sending mail: what is refused, what is sent only once, and what a dry run reports.
import { expect } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { answerOf, runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import { mail, type Sending, team } from '../../worlds/team.ts'

type Wrong = [Partial<Sending>, Parameters<typeof refused>[1], string]

const WRONG: Wrong[] = [
  [{ to: 'nobody', type: 'cancel' }, 'not_found', 'there is no agent nobody; see '],
  [{ to: 'off' }, 'invalid_state', 'off is off; write to its role or to orchestrator'],
  [{ to: 'team:x' }, 'invalid_input', '"team:x" is not an address: write NAME, agent:ID'],
  [{ to: 'system' }, 'invalid_input', 'is not an address'],
  [{ to: 'role:' }, 'invalid_input', 'is not an address'],
  [{ to: undefined }, 'invalid_input', 'to is missing: say who it is for'],
  [{ body: undefined }, 'invalid_input', 'body is missing: write something'],
  [{ body: ' \n' }, 'invalid_input', 'body is missing: write something'],
  [{ from: 'ann', to: 'user' }, 'forbidden', 'send it to orchestrator'],
  [{ to: 'user:nobody' }, 'not_found', 'there is no person user:nobody; add them with '],
  [{ to: 'user', type: 'task-assigned' }, 'invalid_input', 'is a person; ask with '],
  [{ to: 'user', type: 'cancel' }, 'invalid_input', 'is a person'],
  [{ to: 'role:builder', type: 'cancel' }, 'not_found', 'role:builder reaches no agent'],
  [{ from: 'system' }, 'invalid_input', 'reserved word'],
  [{ in_reply_to: 'msg_none' }, 'not_found', 'there is no message msg_none to answer'],
  [{ expires_seconds: 0 }, 'invalid_input', 'out of range'],
  [{ timeout_seconds: 5 }, 'invalid_input', ' needs '],
  [{ wait: 'read', dry_run: true }, 'invalid_input', 'cannot be combined'],
  [{ wait: 'sent' as 'read' }, 'invalid_input', 'is not one of presented, read, acted'],
]

behaves('mail-send/bad-input', async (world) => {
  await team(world)
  await world.inbox.agentRegister({ agent: 'off', status: 'off' })
  const before = await everything(world)
  for (const [input, code, says] of WRONG) {
    expect((await refused(mail(world, input), code)).message).toContain(says)
  }
  if (world.door === 'library') {
    // This is too long for a command line.
    const long = await refused(mail(world, { body: 'x'.repeat(1_048_577) }), 'invalid_input')
    expect(long.message).toContain('at most 1048576 fit')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('mail-send/body-file', async (world) => {
  await team(world)
  const { address, folder } = world
  await writeFile(join(folder, 'letter.md'), 'From a file\n')
  const args = ['mail', 'send', '--json', `--db=${address}`, '--from=ann', '--to=bob']
  const send = async (file: string, stdin?: string) =>
    answerOf('mail send', await runProgram([...args, `--body-file=${file}`], { folder, stdin }))
  expect(await send('letter.md')).toMatchObject({ message: { body: 'From a file\n' } })
  expect(await send('-', 'From a pipe')).toMatchObject({ message: { body: 'From a pipe' } })
})

behaves('mail-send/key', async (world) => {
  await team(world)
  const first = await mail(world, { to: 'broadcast', idempotency_key: 'k1' })
  const again = await mail(world, { to: 'broadcast', idempotency_key: 'k1' })
  expect(again).toEqual(first)
  // The wait is not part of the request that the key identifies.
  const waits = await mail(world, {
    to: 'broadcast',
    idempotency_key: 'k1',
    wait: 'read',
    timeout_seconds: 1,
  })
  expect(waits.message).toEqual(first.message)
  expect(waits.reached).toBe(false)
  expect(await world.sql('select message_id from messages')).toHaveLength(1)
  await refused(mail(world, { to: 'bob', idempotency_key: 'k1' }), 'invalid_state')
})

behaves('mail-send/dry-run', async (world) => {
  await team(world)
  for (const agent of ['builder1', 'builder2']) {
    await world.inbox.agentRegister({ agent, role: 'builder', status: 'idle' })
  }
  await world.inbox.agentRegister({
    agent: 'orchestrator',
    status: 'dormant',
    wake_command: '["true"]',
  })
  await mail(world, { to: 'role:builder' })
  const before = await everything(world)
  const turn = await mail(world, { to: 'role:builder', dry_run: true })
  expect(turn).toMatchObject({ message: null, recipients: ['builder2'] })
  expect((await mail(world, { to: 'role:builder', dry_run: true })).recipients).toEqual([
    'builder2',
  ])
  const wakes = async (input: Partial<Sending>) =>
    (await mail(world, { from: 'newcomer', to: 'orchestrator', dry_run: true, ...input })).would
  expect(await wakes({ type: 'question' })).toEqual([
    {
      recipient: 'orchestrator',
      wakes: true,
      why: 'orchestrator is dormant, and question wakes orchestrator',
    },
  ])
  expect(await wakes({ type: 'status' })).toEqual([
    { recipient: 'orchestrator', wakes: false, why: 'status never wakes an agent' },
  ])
  expect(await wakes({ to: 'ann', type: 'question' })).toEqual([
    { recipient: 'ann', wakes: false, why: 'ann has no wake command' },
  ])
  expect(await wakes({ to: 'role:tester' })).toMatchObject([
    {
      recipient: 'role:tester',
      wakes: false,
      why: expect.stringContaining('the first that becomes available'),
    },
  ])
  await refused(mail(world, { to: 'user:nobody', dry_run: true }), 'not_found')
  expect(await everything(world)).toEqual(before)
})

behaves('mail-send/directions', async (world) => {
  await team(world)
  const way = async (input: Partial<Sending>) =>
    (await mail(world, { from: 'ann', dry_run: true, ...input })).uncommon
  expect(await way({ to: 'orchestrator', type: 'task-done' })).toBeUndefined()
  expect(await way({ to: 'bob', type: 'task-done' })).toBe(
    'task-done usually goes from an agent to the orchestrator',
  )
  expect(await way({ to: 'role:tester', type: 'task-assigned' })).toContain('task-assigned usually')
  expect(await way({ from: 'orchestrator', to: 'bob', type: 'task-assigned' })).toBeUndefined()
  expect(await way({ from: 'user', to: 'bob', type: 'task-done' })).toBeUndefined()
  expect(await way({ to: 'broadcast', type: 'status' })).toBeUndefined()
  // An uncommon message is sent anyway, but a pointless one is refused.
  expect((await mail(world, { from: 'ann', to: 'bob', type: 'task-done' })).recipients).toEqual([
    'bob',
  ])
  for (const type of ['task-assigned', 'cancel'] as const) {
    const no = await refused(
      mail(world, { from: 'orchestrator', to: 'user', type }),
      'invalid_input',
    )
    expect(no.message).toContain('type question')
  }
})

behaves('mail-send/hops', async (world) => {
  await team(world)
  const hops = async (input: Partial<Sending>) => {
    const id = (await mail(world, input)).message?.id as string
    const [row] = await world.sql('select hops from messages where message_id = ?', id)
    return { id, hops: row?.hops }
  }
  const words = await hops({ from: 'user', to: 'orchestrator' })
  expect(words.hops).toBe(0)
  await world.sql(
    `insert into wakes (wake_id, agent_id, state, cause, upto_event, attempt, hops, token,
                        started_at, expires_at)
     values ('wak_1', 'orchestrator', 'running', 'mail', 1, 1, 4, 't', ?, ?)`,
    DAWN,
    DAWN,
  )
  const woken = await hops({ to: 'ann' })
  expect(woken.hops).toBe(5)
  expect((await hops({ in_reply_to: words.id, to: 'user' })).hops).toBe(5)
  expect((await hops({ from: 'ann', in_reply_to: woken.id, to: 'orchestrator' })).hops).toBe(5)
  expect((await hops({ from: 'ann', to: 'bob' })).hops).toBe(0)
  expect((await hops({ from: 'user', to: 'ann', in_reply_to: woken.id })).hops).toBe(0)
})
