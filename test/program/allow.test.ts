// A command that was brought into a store from elsewhere isn't started until its user has seen and allowed it.

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ask, folders, run, start } from './process.ts'

const folder = folders()

const fileOf = (here: string) => join(here, '.agents/coord.db')

/** Registers an agent with a wake command and mail to wake it; returns the file its program creates. */
async function withCommand(here: string, agent = 'bob'): Promise<string> {
  const ran = join(here, `${agent} ran`)
  await ask(['agent', 'register', agent, ...touching(ran)], { folder: here })
  await mailTo(agent, here)
  return ran
}

function touching(file: string): string[] {
  return ['--wake-command', JSON.stringify(['/usr/bin/touch', file])]
}

async function mailTo(agent: string, here: string): Promise<void> {
  const words = ['--type', 'question', '--body', 'Hi']
  await ask(['mail', 'send', '--from', 'user', '--to', agent, ...words], { folder: here })
}

async function until(stream: ReadableStream<Uint8Array>, what: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(what)) break
  }
  return text
}

/** The broker's output up to this text. */
async function saidUntil(here: string, what: string): Promise<string> {
  const child = start(['wake', 'run', '--json'], { folder: here })
  const said = await until(child.stdout, what)
  child.kill('SIGTERM')
  await child.exited
  return said
}

const HELD = '"did":"held"'
const STARTED = '"did":"started"'

/** Expects that the agent isn't started, and that the reason is given. */
async function expectHeld(here: string, agent: string): Promise<void> {
  const said = await saidUntil(here, HELD)
  expect(said).toContain(`"agent_id":"${agent}"`)
  expect(said).toContain('inbox wake allow')
  const { wakes } = await askWakes(here, ['log'])
  expect(wakes).toEqual([])
  const explained = await askWakes(here, ['explain', agent])
  expect(explained).toMatchObject({ wakes: false, why: expect.stringContaining('wake allow') })
}

async function askWakes(here: string, words: string[]) {
  const { out } = await run(['wake', ...words, '--json'], { folder: here })
  return JSON.parse(out) as {
    wakes: unknown
    shown: string
    commands: { agent: string; allowed: boolean }[]
  }
}

test('a command set here is started, even after its folder has moved', async () => {
  const here = folder()
  await withCommand(here)
  const moved = join(here, 'moved')
  mkdirSync(moved)
  renameSync(join(here, '.agents'), join(moved, '.agents'))
  const child = start(['wake', 'run', '--json'], { folder: moved, env: { HOME: here } })
  expect(await until(child.stdout, STARTED)).not.toContain(HELD)
  child.kill('SIGTERM')
  await child.exited
})

test('a command in a copied store is held until it has been seen and allowed', async () => {
  const here = folder()
  const ran = await withCommand(here)
  const clone = folder()
  const copy = () => cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  copy()
  await expectHeld(clone, 'bob')
  const server = start(['serve', '--json'], { folder: clone, env: { XDG_RUNTIME_DIR: clone } })
  expect(await until(server.stderr, '\n')).toContain(HELD)

  const shown = await run(['wake', 'allow'], { folder: clone })
  expect(shown.out).toContain('/usr/bin/touch')
  expect((await askWakes(clone, ['allow'])).commands).toMatchObject([{ allowed: false }])
  const [, word = ''] = /--shown (\w+)/.exec(shown.out) ?? []
  const allowed = await askWakes(clone, ['allow', '--shown', word])
  expect(allowed.commands).toMatchObject([{ agent: 'bob', allowed: true }])
  // The running server notices the change without a restart.
  for (;;) {
    const { wakes } = await askWakes(clone, ['log'])
    if ((wakes as { state: string }[])[0]?.state === 'ended') break
  }
  expect(existsSync(ran)).toBe(true)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  // A store that takes the old one's place is a different store.
  rmSync(join(clone, '.agents'), { recursive: true })
  copy()
  await expectHeld(clone, 'bob')
})

test('a command from a log that was put next to the file is held', async () => {
  const [here, elsewhere] = [folder(), folder()]
  await withCommand(here, 'bob')
  await ask(['init'], { folder: elsewhere })
  // An open reader keeps the writes in the write-ahead log.
  const reader = new DatabaseSync(fileOf(elsewhere))
  reader.exec('begin; select * from settings')
  const ran = await withCommand(elsewhere, 'evil')
  copyFileSync(`${fileOf(elsewhere)}-wal`, `${fileOf(here)}-wal`)
  reader.close()
  await expectHeld(here, 'evil')
  expect(existsSync(ran)).toBe(false)
})

test('a command from an import is held', async () => {
  const [here, elsewhere] = [folder(), folder()]
  await withCommand(elsewhere, 'evil')
  const { out } = await run(['export'], { folder: elsewhere })
  const taken = await run(['import', '-'], { folder: here, stdin: out })
  expect(taken.code).toBe(0)
  await mailTo('evil', here)
  await expectHeld(here, 'evil')
})

test('a command that a trigger substitutes is held', async () => {
  const here = folder()
  await ask(['init'], { folder: here })
  const evil = join(here, 'evil ran')
  const db = new DatabaseSync(fileOf(here))
  db.exec(`create trigger t after insert on agents begin
    update agents set wake_json = '{"command":["/usr/bin/touch","${evil}"]}'; end`)
  db.close()
  const ran = await withCommand(here, 'bob')
  await expectHeld(here, 'bob')
  expect([existsSync(ran), existsSync(evil)]).toEqual([false, false])
  const { code, out } = await run(['doctor', '--json'], { folder: here })
  expect(code).not.toBe(0)
  expect(out).toContain('trigger t')
})

test('commands that have changed since they were shown are not allowed', async () => {
  const [here, clone] = [folder(), folder()]
  await withCommand(here, 'bob')
  cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  const { shown } = await askWakes(clone, ['allow'])
  const db = new DatabaseSync(fileOf(clone))
  db.exec(`update agents set wake_json = '{"command":["true"]}'`)
  db.close()
  const stale = await run(['wake', 'allow', '--shown', shown], { folder: clone })
  expect(stale).toMatchObject({ code: 30, err: expect.stringContaining('were shown') })
  await expectHeld(clone, 'bob')
})

test('the former name works, says so on stderr, and is not listed', async () => {
  const here = folder()
  await withCommand(here)
  const former = await run(['wake', 'approve', '--json'], { folder: here })
  expect(former.err).toBe("inbox: 'inbox wake approve' is now called 'inbox wake allow'\n")
  expect(former.out).toBe((await run(['wake', 'allow', '--json'], { folder: here })).out)
  const help = await run(['help', 'wake', 'approve'], { folder: here })
  // A command's help begins with an example.
  expect(help.out).toStartWith('  inbox wake allow\n\ninbox wake allow [flags]\n')
  for (const words of [['help'], ['wake', '--help'], ['completion', 'bash']]) {
    expect((await run(words, { folder: here })).out).not.toContain('wake approve')
  }
})

test('a command that a former version recorded as approved is still allowed', async () => {
  const [here, clone] = [folder(), folder()]
  await withCommand(here, 'bob')
  cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  const { ino, birthtimeNs } = statSync(fileOf(clone), { bigint: true })
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const notes = join(clone, '.config/mailroom/wakes', sha256(`${ino} ${birthtimeNs}`))
  mkdirSync(notes, { recursive: true })
  const command = ['/usr/bin/touch', join(here, 'bob ran')]
  writeFileSync(join(notes, sha256('bob')), sha256(JSON.stringify([command, null])))
  const { out } = await run(['wake', 'allow', '--json'], { folder: clone, env: { HOME: clone } })
  expect(JSON.parse(out).commands).toMatchObject([{ agent: 'bob', allowed: true }])
})

test('setting part of a command here does not allow the part that came from elsewhere', async () => {
  const [here, clone] = [folder(), folder()]
  await withCommand(here, 'bob')
  await ask(['agent', 'register', 'carl', '--wake-cwd', here], { folder: here })
  cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  const allowed = async () =>
    (await askWakes(clone, ['allow'])).commands
      .filter(({ allowed }) => allowed)
      .map(({ agent }) => agent)
  const register = (...words: string[]) =>
    ask(['agent', 'register', ...words], { folder: clone }).then(allowed)
  expect(await register('bob', '--role', 'builder')).toEqual([])
  expect(await register('bob', '--wake-cwd', clone)).toEqual([])
  expect(await register('carl', ...touching(join(clone, 'ran')))).toEqual([])
  expect(await register('bob', ...touching('a'), '--wake-cwd', clone)).toEqual(['bob'])
  expect(await register('bob', '--wake-cwd', 'none')).toEqual(['bob'])
  expect(await register('bob', '--wake-budget-per-hour', '3')).toEqual(['bob'])
})
