import { expect } from 'bun:test'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMailroom } from '../../../src/bin/compose.ts'
import { makePresence } from '../../../src/wake/broker-presence.ts'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { ailments, comment, desk, listed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { until, type World } from '../../worlds/world.ts'

behaves('push-reply/delivered', async (world) => {
  const entry = await comment(world, 'Which rate?')
  // The agent holds the lease of some work, which shows that it is running.
  await world.inbox.send({ from: 'lead', to: 'ann', summary: 'Count' })
  await world.inbox.claim({ agent: 'ann' })
  const replied = await world.inbox.pushReply({ entry, comments: 'The long one\n\nPlease' })
  expect(replied).toMatchObject({ entry_id: entry, to: 'ann', reachable: true, wakes: false })
  expect(replied.why).toBe('ann is running and reads it next')
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  const [push] = (await world.inbox.show({ thread: entry })).messages
  expect(messages).toMatchObject([
    {
      id: replied.message_id,
      type: 'answer',
      from: 'user',
      to: 'agent:ann',
      subject: 'The long one',
      body: 'The long one\n\nPlease',
      thread_id: entry,
      in_reply_to: push?.message_id,
    },
  ])
  // A person who answers has read the push and acted on it.
  const [receipt] = (await world.inbox.mailReceipts({ agent: 'ann' })).messages
  expect(receipt?.receipts).toMatchObject([{ recipient: 'user', state: 'acted' }])
  const { entries } = await world.inbox.pushHistory({})
  expect(entries).toMatchObject([{ unread: false, replies: 1 }])
  await refused(world.inbox.pushReply({ entry, comments: ' ' }), 'invalid_input')
  expect(await ailments(world)).toEqual([])
})

behaves('push-reply/unreachable', async (world) => {
  const entry = await comment(world, 'Hello')
  await world.clock.advance(3600)
  const asleep = await world.inbox.pushReply({ entry, comments: 'Are you there?' })
  expect(asleep).toMatchObject({ to: 'ann', reachable: false, wakes: false })
  expect(asleep.why).toContain('has no wake command and was last seen at')
  await world.inbox.agentStatus({ agent: 'ann', status: 'off' })
  const off = await world.inbox.pushReply({ entry, comments: 'Still?' })
  expect(off).toMatchObject({ to: 'ann', reachable: false })
  expect(off.why).toContain('ann is off')
  expect(await world.inbox.sweep({})).toMatchObject({ bounced: 0 })
  // The complete reply is there when the agent returns, and no other agent got it.
  await world.inbox.agentStatus({ agent: 'ann', status: 'idle' })
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(messages.map(({ body }) => body)).toEqual(['Are you there?', 'Still?'])
  expect(await ailments(world)).toEqual([])
})

behaves('agent-reach/says', async (world) => {
  const entry = await comment(world, 'Hello')
  await world.clock.advance(3600)
  const before = await world.inbox.agentReach({ agent: 'ann' })
  const after = await world.inbox.pushReply({ entry, comments: 'Are you there?' })
  expect(before).toMatchObject({ agent: 'ann', reachable: false, wakes: false, why: after.why })
  // An agent that is working reads the reply next.
  const { thread } = await world.inbox.send({ from: 'user', to: 'ann', subject: 'Do it' })
  await world.inbox.claim({ agent: 'ann', thread: thread.thread_id })
  expect(await world.inbox.agentReach({ agent: 'ann' })).toMatchObject({ reachable: true })
  const unknown = await world.inbox.agentReach({ agent: 'nobody' })
  expect(unknown).toMatchObject({ reachable: false })
  expect(unknown.why).toContain('nothing is known about nobody')
  await refused(
    world.inbox.agentReach({ agent: 'ann', type: 'rumour' as 'answer' }),
    'invalid_input',
  )
})

behaves('push-reply/gone', async (world) => {
  const entry = await comment(world, 'Hello')
  await world.clock.advance(5)
  // The agent called a moment ago, but its session may have ended since then.
  const seen = await world.inbox.pushReply({ entry, comments: 'Are you there?' })
  expect(seen).toMatchObject({ to: 'ann', reachable: false, wakes: false })
  expect(seen.why).toMatch(
    /^ann was last seen at 20.*Z; nothing shows that it still runs; .* is kept/,
  )
  await world.clock.advance(5)
  await world.inbox.agentStatus({ agent: 'ann', status: 'running' })
  const said = await world.inbox.pushReply({ entry, comments: 'And now?' })
  expect(said).toMatchObject({ reachable: false, wakes: false })
  expect(said.why).toMatch(
    /^ann said at 20.*Z that it is running; nothing shows that it still runs/,
  )
})

behaves('push-reply/from-a-file', async (world) => {
  const { workspace } = await desk(world)
  const [known, unknown] = [crypto.randomUUID(), crypto.randomUUID()]
  const line = (id: string, workspaceId: string) => {
    const words = { docs: [], comments: 'Which rate?' }
    return `${JSON.stringify({ id, ts: 1_715_789_012_345, workspaceId, workspaceLabel: 'Rates', ...words })}\n`
  }
  const text = line(known, workspace) + line(unknown, 'ws-elsewhere')
  await world.importLog(text, { as: 'entries' })
  const { workspaces } = await world.inbox.workspaceList({})
  const replied = await world.inbox.pushReply({ entry: known, comments: 'Long' })
  expect(replied.to).toBe(workspaces[0]?.default_agent as string)
  const mail = await world.inbox.mailPeek({ agent: replied.to as string })
  expect(mail.messages).toMatchObject([{ thread_id: known, body: 'Long' }])
  const kept = await world.inbox.pushReply({ entry: unknown, comments: 'Long' })
  expect(kept).toMatchObject({ to: null, reachable: false, wakes: false })
  expect(kept.why).toContain('kept')
})

behaves('push-reply/conversation', async (world) => {
  const entry = await comment(world, 'Which rate?')
  const waiting = world.inbox.waitReply({ agent: 'ann', thread: entry })
  await world.inbox.pushReply({ entry, comments: 'Long' })
  const { message } = await waiting
  expect(message).toMatchObject({ kind: 'answer', body: 'Long', from_agent: 'user' })
  await world.inbox.pushRead({ entries: [entry] })
  await world.inbox.mailSend({
    from: 'ann',
    in_reply_to: message?.message_id as string,
    type: 'question',
    body: 'Ten years?',
  })
  expect(await listed(world)).toEqual(['Which rate?*'])
  const { replies } = await world.inbox.pushShow({ entry })
  expect(replies.map(({ from, body }) => `${from}: ${body}`)).toEqual([
    'user: Long',
    'agent:ann: Ten years?',
  ])
  // An agent may write to people in its own push, but still not elsewhere.
  await refused(world.inbox.mailSend({ from: 'ann', to: 'user', body: 'Hi' }), 'forbidden')
  const other = await comment(world, 'Theirs', 'bob')
  const [theirs] = (await world.inbox.show({ thread: other })).messages
  const meddling = {
    from: 'ann',
    to: 'user',
    in_reply_to: theirs?.message_id as string,
    body: 'Me',
  }
  await refused(world.inbox.mailSend(meddling), 'not_found')
  expect(await ailments(world)).toEqual([])
})

behaves('push-reply/wakes', async (world) => {
  const command = '["true"]'
  await world.inbox.agentRegister({ agent: 'ann', wake_command: command, status: 'dormant' })
  const entry = await comment(world, 'Which rate?')
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  const alone = await world.inbox.pushReply({ entry, comments: 'Which?' })
  expect(alone).toMatchObject({ reachable: false, wakes: false })
  expect(alone.why).toContain("no broker runs: start 'inbox serve'")
  expect(await world.inbox.wakeExplain({ agent: 'ann' })).toMatchObject({ broker: false })
  const { store, close } = await openMailroom(world.address)
  const broker = makePresence(store)
  await broker.run()
  const replied = await world.inbox.pushReply({ entry, comments: 'Long' })
  expect(replied).toMatchObject({
    reachable: true,
    wakes: true,
    why: 'ann is dormant, and answer wakes ann',
  })
  const explained = await world.inbox.wakeExplain({ agent: 'ann' })
  expect(explained).toMatchObject({ wakes: true, broker: true })
  await broker.end()
  await close()
  // An agent that has just read mail on its own may be working on it. The answer says when the broker looks again.
  await world.clock.advance(1)
  await world.inbox.mailRead({ agent: 'ann' })
  const later = await world.inbox.pushReply({ entry, comments: 'Or short' })
  expect(later).toMatchObject({ reachable: false, wakes: false })
  expect(later.why).toMatch(/^ann was last seen at .*; nothing shows .* the broker looks again at /)
})

const line = (id: string, origin: object) =>
  JSON.stringify({ id, ts: 1_700_000_000_000, workspaceId: '', comments: id, agent: 'ann', origin })

behaves('push-resume/commands', async (world) => {
  const folder = "/home/o'neil/my work"
  const known: [string, string[]][] = [
    ['claude', ['claude', '--resume', 's-1']],
    ['codex', ['codex', 'resume', 's-1']],
    ['cursor', ['cursor-agent', '--resume', 's-1']],
    ['gemini', ['gemini', '--resume', 's-1']],
    ['opencode', ['opencode', '--session', 's-1']],
  ]
  const lines = known.map(([backend]) => line(backend, { backend, session: 's-1', folder }))
  lines.push(line('half', { backend: 'claude', folder }), line('none', {}))
  await world.importLog(lines.join('\n'), { as: 'entries' })
  for (const [entry, argv] of known) {
    const shell = `cd '/home/o'\\''neil/my work' && ${argv.join(' ')}`
    expect(await world.inbox.pushResume({ entry })).toMatchObject({
      state: 'known',
      backend: entry,
      folder,
      argv,
      shell,
    })
  }
  for (const entry of ['half', 'none']) {
    const resume = await world.inbox.pushResume({ entry })
    expect(resume).toMatchObject({ state: 'unknown', argv: null, shell: null })
    expect(resume.why).toContain('not known')
  }
  // Rows in a store aren't trusted, because they may come from elsewhere.
  for (const forged of [
    { backend: 'claude', session: '--dangerously-skip-permissions' },
    { backend: 'constructor', session: 's-1' },
    { backend: 'claude', session: ['s-1'] },
    'claude',
    null,
  ]) {
    const payload = JSON.stringify({ origin: forged })
    await world.sql('update messages set payload_json = ? where thread_id = ?', payload, 'codex')
    const resume = await world.inbox.pushResume({ entry: 'codex' })
    expect(resume).toMatchObject({ state: 'unknown', argv: null, shell: null })
    const { entries } = await world.inbox.pushHistory({})
    expect(JSON.stringify(entries)).not.toContain('dangerously')
  }
  await refused(world.inbox.pushResume({ agent: 'ann', entry: 'claude' }), 'forbidden')
})

async function fromSession(world: World): Promise<{ entry: string; folder: string }> {
  const { workspace, folder } = await desk(world)
  const args = ['push', '--comments=Done', `--workspace=${workspace}`, '--json']
  const env = { INBOX_BACKEND: 'codex', INBOX_SESSION: '0199-ab' }
  const run = await runProgram([...args, `--db=${world.address}`], { folder: world.folder, env })
  return { entry: JSON.parse(run.stdout).entry_id, folder }
}

behaves('open/shows', async (world) => {
  const { entry, folder } = await fromSession(world)
  const run = await runProgram(['open', entry, `--db=${world.address}`], world)
  expect(run).toMatchObject({ exit: 0, stderr: '' })
  expect(run.stdout).toContain(`cd ${folder} && codex resume 0199-ab\n`)
  const unknown = await comment(world, 'From nowhere')
  const none = await runProgram(['open', unknown, `--db=${world.address}`], world)
  expect(none.exit).toBe(40)
  expect(none.stdout).toContain('not known')
})

behaves('open/terminal', async (world) => {
  const { entry, folder } = await fromSession(world)
  const terminal = join(world.folder, 'terminal.sh')
  const told = join(world.folder, 'told.txt')
  await writeFile(
    terminal,
    `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > ${told}.part && mv ${told}.part ${told}\n`,
  )
  await chmod(terminal, 0o755)
  const env = { INBOX_TERMINAL: `${terminal} -e` }
  const run = await runProgram(['open', entry, `--db=${world.address}`], { ...world, env })
  expect(run).toMatchObject({ exit: 0, stdout: 'started in your terminal\n' })
  const text = await until(() => readFile(told, 'utf8').catch(() => undefined), 'the terminal')
  expect(text).toBe(`${folder}\n-e\ncodex\nresume\n0199-ab\n`)
  const none = { ...world, env: { INBOX_TERMINAL: '/no/such/terminal' } }
  expect((await runProgram(['open', entry, `--db=${world.address}`], none)).exit).toBe(30)
})

behaves('notify/deprecated', async (world) => {
  const { entry_id, deprecated } = await world.inbox.notify({
    agent: 'cron',
    message: 'Backup ran',
  })
  expect(deprecated).toContain('push')
  await comment(world, 'A push')
  expect(await listed(world, { form: 'notification' })).toEqual(['Backup ran*'])
  expect(await listed(world, { form: 'push' })).toEqual(['A push*'])
  expect(await listed(world)).toEqual(['A push*', 'Backup ran*'])
  expect((await world.inbox.pushHistory({ form: 'notification' })).unread).toBe(1)
  const reply = await world.inbox.pushReply({ entry: entry_id, comments: 'Thanks' })
  expect(reply.to).toBe('cron')
  expect((await world.inbox.mailRead({ agent: 'cron' })).messages).toMatchObject([
    { body: 'Thanks' },
  ])
  await refused(world.inbox.notify({ agent: 'cron', message: ' ' }), 'invalid_input')
  await refused(world.inbox.notify({ message: 'From nobody' }), 'invalid_input')
})
