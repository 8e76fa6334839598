// One program with three names, which behaves the same whatever is in the folder it is called from.

import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, folders, INBOX, ROOT, run } from './process.ts'

const folder = folders()
const { version } = await Bun.file(join(ROOT, 'package.json')).json()

test('the three names in dist are one file', () => {
  const inodes = ['inbox', 'orch', 'agent-worker'].map((name) => statSync(join(DIST, name)).ino)
  expect(new Set(inodes).size).toBe(1)
})

test('called orch through a link, it says what is planned', async () => {
  const bin = folder()
  symlinkSync(INBOX, join(bin, 'orch'))
  const ran = await run(['run', 'list'], { folder: bin, program: [join(bin, 'orch')] })
  expect(ran.code).toBe(30)
  expect(ran.out).toBe('')
  expect(ran.err).toMatch(
    /^orch is not built yet: it has no commands\. .*\nToday 'inbox send' .* workflow file\.\n$/,
  )
})

describe('called agent-worker', () => {
  const bin = folder()
  const called = {
    'its file in dist': join(DIST, 'agent-worker'),
    'a link': join(bin, 'linked', 'agent-worker'),
    'a copy that stands alone': join(bin, 'copied', 'agent-worker'),
  }
  mkdirSync(join(bin, 'linked'))
  mkdirSync(join(bin, 'copied'))
  symlinkSync(INBOX, called['a link'])
  copyFileSync(INBOX, called['a copy that stands alone'])

  test.each(Object.entries(called))('by %s, it refers to itself by that name', async (_, path) => {
    const here = folder()
    const ran = (...words: string[]) => run(words, { folder: here, program: [path] })
    expect(await ran('version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
    expect((await ran('--help')).out).toStartWith('agent-worker: ')
    expect((await ran('help', '--all')).out).not.toMatch(/(?<!the )inbox [a-z]+ |^ +workflow/m)
    expect(await ran('sotp')).toMatchObject({
      code: 30,
      err: expect.stringMatching(/^agent-worker: "sotp" is not a command; /),
    })
    expect(await ran('mail', 'send')).toMatchObject({
      code: 30,
      err: `agent-worker: "mail" is not a command; did you mean 'inbox mail send'?\n`,
    })
    expect((await ran('agent')).err).toContain(`did you mean 'inbox agent'?`)
    expect((await ran('completion', 'bash')).out).toContain(' -F _agent_worker agent-worker\n')
    // A copy without a sibling passes this argument to start itself as inbox.
    expect((await ran('inbox', 'help')).out).toStartWith('inbox: ')
  })
})

test('called by any other name, it is inbox', async () => {
  const bin = folder()
  for (const name of ['inbox', 'mail']) {
    symlinkSync(INBOX, join(bin, name))
    const ran = await run(['version'], { folder: bin, program: [join(bin, name)] })
    expect(ran).toEqual({ code: 0, out: `${version}\n`, err: '' })
  }
})

test('found through PATH, it also knows its name', async () => {
  const program = ['/bin/sh', '-c', 'orch; echo "exit $?"']
  const ran = await run([], {
    folder: folder(),
    env: { PATH: `${DIST}:${process.env.PATH}` },
    program,
  })
  expect(ran.out).toBe('exit 30\n')
  expect(ran.err).toStartWith('orch is not built yet:')
})

test('it prints its version, for people and for programs', async () => {
  const here = folder()
  for (const words of [['version'], ['--version']])
    expect(await run(words, { folder: here })).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const { out } = await run(['version', '--json'], { folder: here })
  expect(JSON.parse(out)).toEqual({ ok: true, command: 'version', version })
})

test('a hostile .env and bunfig.toml in the working folder have no effect', async () => {
  const here = folder()
  const evil = join(here, 'evil')
  mkdirSync(evil)
  const lines = [`INBOX_DB=${join(evil, 'store.db')}`, 'INBOX_AGENT=mallory']
  for (const name of ['.env', '.env.local', '.env.production', '.env.development'])
    writeFileSync(join(here, name), `${lines.join('\n')}\n`)
  writeFileSync(join(here, 'bunfig.toml'), 'preload = ["./preload.js"]\n')
  writeFileSync(join(here, 'preload.js'), `require('fs').writeFileSync('evil/ran', 'yes')\n`)
  writeFileSync(join(here, 'package.json'), '{"name":"evil","main":"preload.js"}\n')
  writeFileSync(
    join(here, 'tsconfig.json'),
    '{"compilerOptions":{"paths":{"pg":["./preload.js"]}}}\n',
  )

  const made = await run(['init', '--json'], { folder: here })
  expect(JSON.parse(made.out).db_path).toBe(join(here, '.agents/coord.db'))
  const sent = await run(['send', '--to', 'worker', '--subject', 'Hi'], { folder: here })
  expect(sent.code).toBe(30)
  expect(sent.err).toContain('INBOX_AGENT')
  expect(existsSync(join(evil, 'ran'))).toBe(false)
  expect(existsSync(join(evil, 'store.db'))).toBe(false)
})

test('the same bunfig.toml does affect an unprotected Bun, so the test above can fail', async () => {
  const here = folder()
  writeFileSync(join(here, 'bunfig.toml'), 'preload = ["./preload.js"]\n')
  writeFileSync(join(here, 'preload.js'), `require('fs').writeFileSync('ran', 'yes')\n`)
  writeFileSync(join(here, 'main.ts'), 'console.log(1)\n')
  const program = [process.execPath, join(here, 'main.ts')]
  expect((await run([], { folder: here, program })).code).toBe(0)
  expect(existsSync(join(here, 'ran'))).toBe(true)
})

test('the source runs without a build and answers the same', async () => {
  const here = folder()
  const program = [process.execPath, join(ROOT, 'src/bin/main.ts')]
  const sent = await run(
    ['send', '--from', 'lead', '--to', 'worker', '--subject', 'Hi', '--json'],
    {
      folder: here,
      program,
    },
  )
  expect(sent.code).toBe(0)
  const { thread } = JSON.parse(sent.out)
  const listed = await run(['list', '--json'], { folder: here })
  expect(JSON.parse(listed.out).threads).toMatchObject([{ thread_id: thread.thread_id }])
})
