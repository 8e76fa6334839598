// The same source on Node: the library on both engines, and the command as people would call it. The test command
// provides Node; without it, these tests fail rather than pass without testing anything.

import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilAsleep } from '../tools/asleep.ts'
import { freshSchema } from '../worlds/server.ts'

const ROOT = join(import.meta.dirname, '../..')
const NODE = process.env.MAILROOM_TEST_NODE24
if (!NODE) throw new Error('MAILROOM_TEST_NODE24 is not set: run `npm test -- portability`')

const home = mkdtempSync(join(tmpdir(), 'mailroom-portability-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

let stores = 0
const STORES = [
  ['sqlite', () => join(home, `store-${++stores}.db`)],
  ['postgres', () => freshSchema().address],
] as const

function start(cmd: string[]) {
  return Bun.spawn(cmd, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function finish(child: ReturnType<typeof start>) {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

const onNode = (...words: string[]) => start([NODE, join(ROOT, 'src/bin/main.ts'), ...words])
const built = (...words: string[]) => start([join(ROOT, 'dist/inbox'), ...words])

test('it runs the version of Node we claim to support', async () => {
  const { out } = await finish(start([NODE, '--version']))
  expect(Bun.semver.satisfies(out.trim(), '>=24.21.0')).toBe(true)
})

test.each(STORES)('the library works on %s', async (_, address) => {
  const { code, out, err } = await finish(
    start([NODE, join(ROOT, 'test/programs/flow.ts'), address()]),
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual({
    sameThread: true,
    woke: true,
    answer: 'That',
    status: 'done',
    refusal: 'invalid_state',
    kinds: ['task', 'event', 'question', 'answer', 'result'],
    payload: { n: 1 },
    body: 'Ünïcode 🙂',
    log: true,
    nothing: null,
  })
})

test.each(STORES)(
  'the command works, and shares a store with the built program, on %s',
  async (engine, address) => {
    const db = `--db=${address()}`
    const sent = await finish(
      onNode('send', db, '--from=lead', '--to=worker', '--subject=Hi', '--json'),
    )
    expect(sent.code).toBe(0)
    const { thread } = JSON.parse(sent.out)
    const on = `--thread=${thread.thread_id}`
    expect((await finish(built('claim', db, '--agent=worker', on))).code).toBe(0)
    const ask = ['--agent=worker', on, '--status=blocked', '--summary=Which?']
    expect((await finish(onNode('update', db, ...ask))).code).toBe(0)

    const wait = onNode('wait-reply', db, '--agent=worker', on, '--json', '--timeout-seconds=240')
    if (engine === 'sqlite') await untilAsleep(wait)
    expect((await finish(built('reply', db, '--from=lead', on, '--summary=That'))).code).toBe(0)
    const woken = await finish(wait)
    expect(woken).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(woken.out)).toMatchObject({ woke: true, message: { summary: 'That' } })

    expect((await finish(onNode('done', db, '--agent=worker', on, '--summary=Done'))).code).toBe(0)
    const refused = await finish(onNode('renew', db, '--agent=worker', on))
    expect(refused).toMatchObject({ code: 30, out: '' })
    const empty = await finish(onNode('claim', db, '--agent=worker'))
    expect(empty).toMatchObject({ code: 10, out: 'nothing to claim for worker\n' })
    const { findings } = JSON.parse((await finish(onNode('doctor', db, '--json'))).out)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'log', ok: true }))
  },
)

test('help, version and completion are printed in full', async () => {
  for (const words of [['help'], ['claim', '--help'], ['version'], ['completion', 'bash']]) {
    const [node, program] = [await finish(onNode(...words)), await finish(built(...words))]
    expect(node).toEqual(program)
    expect(node.code).toBe(0)
  }
})

test('the library is imported by its package name', async () => {
  mkdirSync(join(home, 'node_modules'), { recursive: true })
  symlinkSync(ROOT, join(home, 'node_modules/mailroom'))
  writeFileSync(
    join(home, 'use.mjs'),
    "const { connect, Refusal, CODES } = await import('mailroom'); console.log(connect.name, Refusal.name, CODES.busy.exit)",
  )
  const { code, out, err } = await finish(start([NODE, 'use.mjs']))
  expect({ code, out, err }).toEqual({ code: 0, out: 'connect Refusal 50\n', err: '' })
})

test('the package exports the same names to Node as to Bun', async () => {
  const names = Object.keys(await import('../../src/index.ts')).sort()
  const { out } = await finish(
    start([
      NODE,
      '-e',
      `import('${ROOT}/scripts/library.mjs').then((all) => console.log(Object.keys(all).sort().join()))`,
    ]),
  )
  expect(out.trim().split(',')).toEqual(names)
})
