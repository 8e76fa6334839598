import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments, lived } from '../../worlds/lived.ts'
import { admitted, everything, held, mailed, task } from '../../worlds/scenes.ts'
import { until } from '../../worlds/world.ts'

const DAY = 86_400

behaves('doctor/healthy', async (world) => {
  await lived(world)
  await mailed(world)
  const report = await world.inbox.doctor({})
  expect(ailments(report)).toEqual([])
  expect(world.exitOf(report)).toBe(report.healthy ? 0 : 50)
  expect(report.healthy).toBe(world.engine === 'sqlite')
  expect(report.findings.find((finding) => finding.check === 'log')?.detail).toContain(
    'events replayed',
  )
})

const TAMPERINGS = [
  `update threads set status = 'done' where status = 'blocked'`,
  `update threads set assigned_to = 'thief'`,
  `update threads set message_count = message_count + 1`,
  `update leases set generation = generation + 1`,
  `update leases set lease_token = 'lse_stolen'`,
  `update leases set expires_at = '2099-01-01T00:00:00.000Z' where released_at is null`,
  `delete from leases where released_at is not null`,
  `update thread_reads set last_read_seq = 7`,
  `delete from thread_reads`,
  `delete from events where event_type = 'thread_claim'`,
  `update events set status = 'done' where status = 'pending'`,
  `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, created_at)
   select 'msg_slipped_in', thread_id, 99, 'thief', 'lead', 'result', 'paid', created_at
   from threads limit 1`,
  `update deliveries set state = 'read' where state = 'queued'`,
  `update deliveries set state = 'queued' where state = 'acted'`,
  `update deliveries set presented_at = null, presented_by = null where recipient = 'bob'`,
  `update deliveries set recipient = 'thief' where recipient = 'bob'`,
  `delete from deliveries where state = 'bounced'`,
  `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at)
   select 'thief', event_id, message_id, thread_id, seq, kind, state, queued_at
   from deliveries where recipient = 'bob'`,
  `update agents set role = 'orchestrator' where agent_id = 'ann'`,
  `update agents set may_write_to_user = 1`,
  `update agents set wake_json = '{"command":["thief"]}'`,
  `update agents set declared_status = 'idle' where declared_status = 'off'`,
  `delete from agents where agent_id = 'bob'`,
  `insert into people (person_id, added_at) values ('user:thief', '2026-03-01T08:00:00.000Z')`,
  `delete from people`,
  `insert into wakes (wake_id, agent_id, state, cause, upto_event, attempt, hops, token, started_at,
     expires_at) values ('wak_1', 'bob', 'running', 'mail', 0, 1, 0, 't', '2026', '2026')`,
  `update workspaces set path = '/'`,
  `update workspaces set default_agent = 'thief'`,
  `update workspaces set removed_at = null`,
  `delete from workspaces`,
  `update tokens set principal_name = 'user', principal_kind = 'person'`,
  `update tokens set workspace_id = null`,
  `update tokens set sets = ''`,
  `update tokens set revoked_at = null`,
  `update tokens set expires_at = null`,
  `delete from tokens`,
  `insert into tokens (token_id, kind, principal_kind, principal_name, sets, label, issued_by,
     issued_at, hash) values ('tok_1', 'token', 'person', 'user', '', '', 'user', '2026', 'x')`,
]

behaves('doctor/tampered', async (world) => {
  await lived(world)
  await mailed(world)
  await admitted(world)
  await world.inbox.sweep({})
  const text = await world.exportLog()
  for (const tampering of TAMPERINGS) {
    const copy = await world.another('empty')
    await copy.importLog(text)
    await copy.sql(tampering)
    const report = await copy.inbox.doctor({})
    expect(copy.exitOf(report)).toBe(50)
    const log = report.findings.find((finding) => finding.check === 'log')
    expect({ tampering, ok: log?.ok }).toEqual({ tampering, ok: false })
    expect(log?.remedy).toContain('export')
    await copy.giveBack()
  }
  expect(ailments(await world.inbox.doctor({}))).toEqual([])
})

behaves('doctor/lapsed', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  await world.clock.advance(61)
  const report = await world.inbox.doctor({})
  const leases = report.findings.find((finding) => finding.check === 'leases')
  expect(leases?.ok).toBe(false)
  expect(leases?.detail).toContain(thread)
  expect(leases?.remedy).toContain('sweep')
  await world.inbox.sweep({})
  expect(ailments(await world.inbox.doctor({}))).toEqual([])
})

behaves('doctor/standing-mail', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', status: 'idle' })
  await world.inbox.mailSend({ from: 'user', to: 'ann', body: 'Are you there?' })
  const finding = async (check: string) => {
    const { findings } = await world.inbox.doctor({})
    return findings.find((one) => one.check === check)
  }
  await world.clock.advance(DAY + 1)
  // An agent that is away will find the mail later, but a running one should have looked by now.
  expect(await finding('mail')).toMatchObject({ ok: true })
  await world.inbox.agentStatus({ agent: 'ann', status: 'running' })
  expect(await finding('mail')).toMatchObject({
    ok: false,
    warning: true,
    remedy: expect.stringContaining('inbox mail read'),
    detail: expect.stringContaining('ann (1 since'),
  })
  await world.inbox.mailRead({ agent: 'ann' })
  await until(async () => (await finding('mail'))?.ok === true, 'it was presented')
})

behaves('doctor/queues', async (world) => {
  await world.inbox.mailSend({ from: 'ann', to: 'role:builder', body: 'Anybody?' })
  const queues = async () => {
    const { findings } = await world.inbox.doctor({})
    return findings.find(({ check }) => check === 'queues')
  }
  expect(await queues()).toMatchObject({ ok: true })
  await world.clock.advance(3601)
  expect(await queues()).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining('role:builder (1 since'),
    remedy: expect.stringContaining('inbox agent register'),
  })
  await world.as('bob').agentRegister({ role: 'builder' })
  expect(await queues()).toMatchObject({ ok: true })
})

behaves('doctor/wakes', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  await world.sql(
    `insert into wakes (wake_id, agent_id, state, cause, upto_event, attempt, hops, token,
       started_at, expires_at) values ('wak_1', 'ann', 'running', 'mail', 0, 1, 0, 't', ?, ?)`,
    world.clock.now(),
    await world.clock.advance(1),
  )
  const { findings } = await world.inbox.doctor({})
  expect(findings.find(({ check }) => check === 'wakes')).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining('wak_1 (ann)'),
    remedy: expect.stringContaining('inbox wake run'),
  })
})

behaves('doctor/half-import', async (world) => {
  await world.sql(`insert into settings (name, value) values ('loading', 'yes')`)
  const report = await world.inbox.doctor({})
  expect(report.findings.find((finding) => finding.check === 'import')?.ok).toBe(false)
  expect(report.healthy).toBe(false)
})

behaves('import/unfinished', async (world) => {
  const thread = await task(world)
  await world.sql(`insert into settings (name, value) values ('loading', 'yes')`)
  const before = await everything(world)
  for (const write of [
    () => world.inbox.send({ from: 'lead', to: 'worker', subject: 'Lost' }),
    () => world.inbox.claim({ agent: 'worker', thread }),
    () => world.inbox.mailSend({ from: 'lead', to: 'worker', body: 'Lost' }),
    () => world.inbox.agentRegister({ agent: 'worker', role: 'builder' }),
  ]) {
    await expect(write()).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('remove this store and import again'),
    })
  }
  expect(await everything(world)).toEqual(before)
  expect((await world.inbox.show({ thread })).thread.thread_id).toBe(thread)
  expect((await world.as('worker').mailPeek({})).unread).toBe(1)
})
