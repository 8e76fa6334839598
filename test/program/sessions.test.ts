// Sessions of one program in one folder: each is a separate agent, to its tools and to its hooks alike.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ask, folders, INBOX, ROOT, run } from './process.ts'

const folder = folders()

const PROGRAM = join(ROOT, 'test/programs/agent-program.ts')

/** A folder whose store has mail for each of these agents. */
async function desk(...names: string[]): Promise<string> {
  const here = folder()
  for (const name of names) {
    await ask(['agent', 'register', name], { folder: here })
    await ask(['mail', 'send', '--from=user', `--to=${name}`, '--body=Hi'], { folder: here })
  }
  return here
}

type Asked = 'tools' | 'hook'

function begin(here: string, { as = 'claude', env = {} } = {}) {
  const child = Bun.spawn([process.execPath, PROGRAM, INBOX, as], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: here, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const lines = linesOf(child.stdout)
  return {
    async name(by: Asked): Promise<string> {
      child.stdin.write(`${by}\n`)
      child.stdin.flush()
      return (await lines.next()).value ?? ''
    },
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}

type Session = ReturnType<typeof begin>

const names = async (session: Session) => [await session.name('tools'), await session.name('hook')]

test('a second live session keeps a separate name, and a name is free once its session has ended', async () => {
  const here = await desk('claude', 'claude-2', 'claude-3')
  const [first, second] = [begin(here), begin(here)]
  expect(await names(first)).toEqual(['claude', 'claude'])
  // The hook can run before the tools.
  expect([await second.name('hook'), await second.name('tools')]).toEqual(['claude-2', 'claude-2'])
  await first.end('SIGKILL')
  expect(await names(second)).toEqual(['claude-2', 'claude-2'])
  const third = begin(here)
  expect(await names(third)).toEqual(['claude', 'claude'])
  const fourth = begin(here)
  expect(await names(fourth)).toEqual(['claude-3', 'claude-3'])
  for (const session of [second, third, fourth]) await session.end()
})

test('sessions that begin together have different names', async () => {
  const all = ['builder', ...[2, 3, 4, 5].map((count) => `builder-${count}`)]
  const here = await desk(...all)
  const sessions = all.map(() => begin(here, { as: 'builder' }))
  const given = await Promise.all(
    sessions.map(async (session, i) => {
      const [one, other]: [Asked, Asked] = i % 2 === 0 ? ['tools', 'hook'] : ['hook', 'tools']
      const name = await session.name(one)
      expect(await session.name(other)).toBe(name)
      return name
    }),
  )
  expect(given.toSorted()).toEqual(all)
  for (const session of sessions) await session.end()
})

test('INBOX_AGENT wins, and names in another store are independent', async () => {
  const here = await desk('claude', 'painter', 'claude@shop', 'claude-2@shop')
  const first = begin(here)
  expect(await names(first)).toEqual(['claude', 'claude'])
  const named = begin(here, { env: { INBOX_AGENT: 'painter' } })
  expect(await names(named)).toEqual(['painter', 'painter'])
  const there = await desk('claude')
  const elsewhere = begin(there, { env: { HOME: here } })
  expect(await names(elsewhere)).toEqual(['claude', 'claude'])
  // The part after the @, a workflow's instance, stays the same.
  const [one, two] = [begin(here, { as: 'claude@shop' }), begin(here, { as: 'claude@shop' })]
  expect([await one.name('tools'), await names(two)]).toEqual([
    'claude@shop',
    ['claude-2@shop', 'claude-2@shop'],
  ])
  for (const session of [first, named, elsewhere, one, two]) await session.end()
})

test('if sessions cannot be distinguished, all use the name that was written', async () => {
  const here = await desk('claude')
  const home = join(here, '.agents/coord.db')
  const [first, second] = [
    begin(here, { env: { HOME: home } }),
    begin(here, { env: { HOME: home } }),
  ]
  expect(await names(first)).toEqual(['claude', 'claude'])
  expect(await names(second)).toEqual(['claude', 'claude'])
  for (const session of [first, second]) await session.end()
})

test('installing another name in the same folder explains how to have both', async () => {
  const here = folder()
  const install = (as: string) => run(['install', 'claude', '--as', as], { folder: here })
  expect((await install('builder')).err).not.toContain('was')
  const again = await install('reviewer')
  expect([again.code, again.err]).toEqual([
    0,
    'inbox: claude was builder here, and now is reviewer; a session that starts with INBOX_AGENT=builder is builder as before\n',
  ])
  expect((await install('reviewer')).err).toBe('')
})
