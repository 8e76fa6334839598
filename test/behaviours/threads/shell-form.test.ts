import { expect } from 'bun:test'
import { shortId } from '../../../src/core/short-id.ts'
import { behaves } from '../../worlds/behaves.ts'
import { type Run, runProgram } from '../../worlds/program.ts'
import { held, task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

behaves('json/success', async (world) => {
  const sent = await shell(world, 'send', '--from=lead', '--to=worker', '--subject=Hi', '--json')
  expect(sent.exit).toBe(0)
  const answer = JSON.parse(sent.stdout)
  expect(Object.keys(answer)).toEqual(['ok', 'command', 'thread', 'message', 'next_event_id'])
  expect(answer).toMatchObject({ ok: true, command: 'send', thread: { status: 'pending' } })
  const listed = JSON.parse((await shell(world, 'list', '--json')).stdout)
  const { thread: sentThread, next_event_id } = answer
  expect(listed).toEqual({
    ok: true,
    command: 'list',
    threads: [sentThread],
    has_more: false,
    next_before: null,
    next_event_id,
  })
  const thread = answer.thread.thread_id
  await shell(world, 'reply', '--from=worker', `--thread=${thread}`, '--summary=Done')
  const woken = await shell(world, 'wait-reply', '--agent=lead', `--thread=${thread}`, '--json')
  expect(Object.keys(JSON.parse(woken.stdout)).sort()).toEqual(
    ['ok', 'command', 'woke', 'next_event_id', 'message'].sort(),
  )
})

behaves('json/refusal', async (world) => {
  const { thread } = await held(world)
  const run = await shell(world, 'claim', '--agent=other', `--thread=${thread}`, '--json')
  expect({ exit: run.exit, stderr: run.stderr }).toEqual({ exit: 20, stderr: '' })
  expect(JSON.parse(run.stdout)).toEqual({
    ok: false,
    error: {
      code: 'lease_conflict',
      message: expect.stringContaining('worker'),
      thread_id: thread,
      held_by: 'worker',
      expires_at: expect.any(String),
    },
  })
  // The error is JSON even if the arguments themselves are invalid.
  const wrong = await shell(world, 'claim', '--agnet=worker', '--json')
  expect(wrong).toMatchObject({ exit: 30, stderr: '' })
  expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

behaves('json/without', async (world) => {
  const thread = await task(world)
  const shown = await shell(world, 'show', thread)
  expect({ exit: shown.exit, stderr: shown.stderr }).toEqual({ exit: 0, stderr: '' })
  expect(shown.stdout).toContain('Build the parser')
  // No colors and no cursor moves, because the output isn't a terminal.
  expect(shown.stdout).not.toContain('\u001b')
  const refused = await shell(world, 'show', 'thr_none')
  expect(refused.exit).toBe(40)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toMatch(/^inbox: [^\n]*thr_none[^\n]*\n$/)
})

behaves('json/exits', async (world) => {
  const { thread } = await held(world)
  const exitOf = async (...args: string[]) => (await shell(world, ...args)).exit
  expect(await exitOf('list')).toBe(0)
  expect(await exitOf('fetch', '--agent=idle')).toBe(10)
  expect(await exitOf('claim', '--agent=other', `--thread=${thread}`)).toBe(20)
  expect(await exitOf('claim')).toBe(30)
  expect(await exitOf('juggle')).toBe(30)
  expect(await exitOf('show', 'thr_none')).toBe(40)
  const broken = world.engine === 'sqlite' ? world.folder : 'postgres://127.0.0.1:1/none'
  expect((await runProgram(['list', `--db=${broken}`], world)).exit).toBe(50)
})

behaves('shell/positions', async (world) => {
  const json = async (...args: string[]) =>
    JSON.parse((await shell(world, ...args, '--json')).stdout)
  const sent = await json('send', 'worker', 'Write the login page', '--from=lead')
  expect(sent.thread).toMatchObject({ assigned_to: 'worker', subject: 'Write the login page' })
  const id = sent.thread.thread_id
  expect((await json('claim', id, '--agent=worker')).thread.status).toBe('claimed')
  const asked = await json('update', 'Which colour?', '--status=blocked', '--agent=worker')
  expect(asked.message).toMatchObject({ kind: 'question', summary: 'Which colour?' })
  expect((await json('reply', id, 'Blue', '--from=lead')).message.summary).toBe('Blue')
  // Without an id, the command applies to the leased thread. An argument with spaces is the summary.
  const done = await json('done', 'It is written', '--agent=worker')
  expect(done).toMatchObject({ thread: { thread_id: id }, message: { summary: 'It is written' } })
  const stray = await shell(world, 'send', 'worker', 'Write', 'the', 'page', '--from=lead')
  expect(stray).toMatchObject({ exit: 30 })
  expect(stray.stderr).toContain('unexpected "the"; put a text in quotes: "Write the page"')
})

behaves('shell/one-word', async (world) => {
  const { thread } = await held(world)
  const say = (...words: string[]) => shell(world, ...words, '--agent=worker')
  const named = await say('done', shortId(thread))
  expect(named).toMatchObject({ exit: 30, stderr: expect.stringContaining('SUMMARY is missing') })
  const strange = await say('done', '4b4b4b4b4b')
  expect(strange).toMatchObject({ exit: 40, stdout: '' })
  expect(strange.stderr).toContain(
    'there is no thread 4b4b4b4b4b; if it is the text, write --summary',
  )
  const other = await task(world, { subject: 'Write the lexer' })
  await world.inbox.claim({ agent: 'worker', thread: other })
  const several = await say('done', 'fixed')
  expect(several.stderr).toContain('THREAD is missing: worker holds')
  for (const id of [thread, other]) expect(several.stderr).toContain(id)
  await world.inbox.done({ agent: 'worker', thread: other, summary: 'Done' })
  const done = JSON.parse((await say('done', 'fixed', '--json')).stdout)
  expect(done).toMatchObject({ thread: { thread_id: thread }, message: { summary: 'fixed' } })
})

behaves('shell/alone', async (world) => {
  await task(world, { subject: 'Write the page' })
  const shown = await runProgram([`--db=${world.address}`], world)
  expect({ exit: shown.exit, stderr: shown.stderr }).toEqual({ exit: 0, stderr: '' })
  expect(shown.stdout).toContain('not claimed yet')
  expect(shown.stdout).toContain('Write the page')
  const json = await runProgram([`--db=${world.address}`, '--json'], world)
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, command: 'status' })
  const other = await world.another('unmade')
  const none = await runProgram([`--db=${other.address}`], other)
  expect(none).toMatchObject({ exit: 0, stderr: '' })
  expect(none.stdout).toContain('inbox help --all')
})

function shell(world: World, ...args: string[]): Promise<Run> {
  return runProgram([...args, `--db=${world.address}`], world)
}
