import { expect } from 'bun:test'
import { CLIENTS } from '../../../src/core/clients/client.ts'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

async function sendMail(world: World, ...bodies: string[]): Promise<string[]> {
  await world.as('worker').agentRegister({})
  const ids: string[] = []
  for (const body of bodies) {
    const words = { from: 'lead', to: 'worker', type: 'question', subject: 'Which?', body } as const
    ids.push((await world.inbox.mailSend(words)).message?.id as string)
  }
  return ids
}

async function states(world: World) {
  // Make another call, because it starts only after the previous one has finished its deferred work.
  await world.as('worker').mailPeek({})
  return world.sql('select state, presented_by from deliveries order by event_id')
}

behaves('hook/start', async (world) => {
  const worker = world.as('worker')
  for (const client of CLIENTS) {
    expect(await worker.hook({ client, event: 'start' })).toMatchObject({ output: {}, shown: 0 })
  }
  const words = 'A cookie or a token?\u202e\u{e0041}'
  const [id] = await sendMail(world, words)
  const { output } = await worker.hook({ client: 'claude', event: 'start' })
  const text = (output as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
    .additionalContext
  const lines = text.split('\n')
  expect(lines[0]).toContain('Mail for worker: 1 unread.')
  expect(JSON.parse(lines[1] as string)).toMatchObject({
    id,
    type: 'question',
    from: 'agent:lead',
    body: words,
  })
  // Text for a model must not contain characters that are invisible or change its direction.
  expect(text).not.toMatch(/\p{Cf}/u)
  expect(await states(world)).toEqual([{ state: 'presented', presented_by: 'hook' }])
  // Unread mail is shown again in the next turn, to every program in its own form.
  const forms = {
    claude: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text } },
    codex: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text } },
    cursor: { additional_context: text },
    gemini: { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: text } },
    opencode: { text },
  }
  for (const client of CLIENTS) {
    expect((await worker.hook({ client, event: 'start' })).output).toEqual(forms[client])
  }
  await worker.mailMarkRead({ messages: [id as string] })
  expect((await worker.hook({ client: 'claude', event: 'start' })).output).toEqual({})
})

behaves('hook/given', async (world) => {
  const worker = world.as('worker')
  await sendMail(world, 'With its start')
  const { next_event_id: given } = await worker.mailPeek({})
  for (const event of ['start', 'stop'] as const) {
    const { output } = await worker.hook({ client: 'claude', event, given })
    expect([event, output]).toEqual([event, {}])
  }
  expect(await states(world)).toEqual([{ state: 'queued', presented_by: null }])
  await sendMail(world, 'While it works')
  const { output, shown } = await worker.hook({ client: 'claude', event: 'stop', given })
  expect(shown).toBe(1)
  expect(JSON.stringify(output)).toContain('While it works')
  expect(JSON.stringify(output)).not.toContain('With its start')
})

behaves('hook/stop', async (world) => {
  const worker = world.as('worker')
  const held = {
    claude: { decision: 'block', reason: expect.stringContaining('1 unread') },
    codex: { decision: 'block', reason: expect.stringContaining('2 unread') },
    cursor: { followup_message: expect.stringContaining('3 unread') },
    gemini: { decision: 'deny', reason: expect.stringContaining('4 unread') },
    opencode: { text: expect.stringContaining('5 unread') },
  }
  for (const client of CLIENTS) {
    await sendMail(world, `For ${client}`)
    expect((await worker.hook({ client, event: 'stop' })).output).toEqual(held[client])
    if (client === 'opencode') break
    expect((await worker.hook({ client, event: 'stop' })).output).toEqual({})
  }
  // The program may end before the turn that shows the mail, so nothing is presented until then.
  const before = await states(world)
  expect(before.map(({ state }) => state)).toEqual([...Array(4).fill('presented'), 'queued'])
  const { output, shown } = await worker.hook({ client: 'opencode', event: 'start' })
  expect([shown, JSON.stringify(output)]).toEqual([5, expect.stringContaining('For opencode')])
  expect((await worker.hook({ client: 'opencode', event: 'stop' })).output).toEqual({})
})

behaves('hook/gone-out', async (world) => {
  const worker = world.as('worker')
  const [first = '', second = ''] = await sendMail(world, 'First', 'Second')
  for (const event of ['start', 'stop'] as const) {
    const asked = await worker.hook({ client: 'claude', event, gone_out: [] })
    expect(asked).toMatchObject({ shown: 2, messages: [first, second] })
    expect((await states(world)).map(({ state }) => state)).toEqual(['queued', 'queued'])
  }
  const stop = { client: 'claude', event: 'stop' } as const
  expect(await worker.hook({ ...stop, gone_out: [first] })).toMatchObject({ output: {}, shown: 0 })
  expect((await states(world)).map(({ state }) => state)).toEqual(['presented', 'queued'])
  expect((await worker.hook({ ...stop, gone_out: [] })).messages).toEqual([second])
})

const textOf = (output: object) => (output as { text: string }).text

behaves('hook/room', async (world) => {
  const worker = world.as('worker')
  const start = { client: 'opencode', event: 'start' } as const
  const long = `${'x'.repeat(1000)}${'y'.repeat(9000)}`
  const [, id] = await sendMail(world, 'short', long, 'z'.repeat(7000), 'short too')
  const { output, shown } = await worker.hook(start)
  const text = textOf(output)
  expect([shown, text]).toEqual([3, expect.stringContaining('1 more: read them')])
  const [, first = '', cut = '', last = ''] = text.split('\n')
  expect([JSON.parse(first).body, JSON.parse(last).body]).toEqual(['short', 'short too'])
  const { body, cut: rest } = JSON.parse(cut)
  expect([body, rest]).toEqual(['x'.repeat(1000), expect.stringContaining('1000 of 10000')])
  expect((await states(world)).map(({ state }) => state)).toEqual([
    'presented',
    'presented',
    'queued',
    'presented',
  ])
  // Mail that was never shown isn't held up by mail that was.
  const again = await worker.hook(start)
  expect([again.shown, textOf(again.output)]).toEqual([3, expect.stringContaining('z'.repeat(100))])
  await worker.mailMarkRead({ messages: [id as string] })
  expect(textOf((await worker.hook(start)).output)).not.toContain('x'.repeat(100))
})

behaves('hook/bad-input', async (world) => {
  const worker = world.as('worker')
  await sendMail(world, 'Which?')
  const wrong = [
    { client: 'notepad' as 'claude', event: 'start' },
    { client: 'claude', event: 'lunch' as 'start' },
  ] as const
  for (const words of wrong) {
    const { message } = await refused(worker.hook(words), 'invalid_input')
    expect(message).toMatch(/notepad|lunch/)
  }
  expect(await states(world)).toMatchObject([{ state: 'queued' }])
})

behaves('hook/progress', async (world) => {
  const worker = world.as('worker')
  const stop = { client: 'claude', event: 'stop' } as const
  // Each character becomes six in JSON, so even the beginning of this message takes up most of the room.
  const worst = '\u0001'.repeat(100_000)
  await sendMail(world, worst, worst, 'q'.repeat(7000), 'small', worst)
  const shown: number[] = []
  for (let i = 0; i < 5; i += 1) {
    const held = await worker.hook(stop)
    expect(JSON.stringify(held.output)).toContain(i < 4 ? '"block"' : '{}')
    shown.push(held.shown)
  }
  expect(shown).toEqual([2, 1, 1, 1, 0])
})

behaves('hook/workflow', async (world) => {
  await sendMail(world, 'A cookie or a token?')
  const run = (event: string, turn: Record<string, string>) =>
    runProgram(['hook', '--client', 'claude', '--event', event, '--agent', 'worker'], {
      folder: world.folder,
      env: { INBOX_DB: world.address, ...turn },
    })
  const turn = { INBOX_INSTANCE: 'pr-1', INBOX_AGENT: 'coder@pr-1' }
  for (const event of ['start', 'stop']) {
    expect(await run(event, turn)).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
  }
  expect(await states(world)).toEqual([{ state: 'queued', presented_by: null }])
  const { stdout } = await run('start', { INBOX_INSTANCE: 'worker', INBOX_AGENT: 'worker' })
  expect(stdout).toContain('A cookie or a token?')
})
