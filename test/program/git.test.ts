// `git add` with all files must never add a store.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folders, run, start } from './process.ts'

const folder = folders()

function git(here: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: here, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout
}

const added = (here: string) =>
  [...git(here, 'add', '-An', '.').matchAll(/^add '(.*)'$/gm)].map(([, path]) => path)

const SEND = ['send', '--from=a', '--to=b', '--subject=x']

test.each(['before', 'after'])('a repository created %s the store ignores it', async (when) => {
  const here = folder()
  if (when === 'before') git(here, 'init', '-q')
  await ask(SEND, { folder: here })
  if (when === 'after') git(here, 'init', '-q')
  // Includes the files that exist only while the store is in use.
  const waiting = start(['watch', '--timeout-seconds=60'], { folder: here })
  try {
    while (!existsSync(join(here, '.agents/coord.db.bell'))) await Bun.sleep(5)
    expect(added(here)).toEqual(['.agents/.gitignore'])
  } finally {
    waiting.kill()
    await waiting.exited
  }
})

test('the skills for codex, which are next to the store, are not ignored', async () => {
  const here = folder()
  git(here, 'init', '-q')
  await run(['install', 'codex'], { folder: here, env: { HOME: folder() } })
  expect(added(here)).toContain('.agents/skills/inbox/SKILL.md')
  expect(added(here).filter((path) => path?.includes('coord.db'))).toEqual([])
})

test('a named store is ignored inside a repository, and gets no .gitignore outside one', async () => {
  const here = folder()
  git(here, 'init', '-q')
  for (const name of ['data/mail.db', 'data/my [odd] #1.db']) {
    await ask([...SEND, `--db=${name}`], { folder: here })
  }
  expect(added(here)).toEqual(['data/.gitignore'])
  const there = folder()
  await ask([...SEND, '--db=mail.db'], { folder: there })
  expect(existsSync(join(there, '.gitignore'))).toBe(false)
})

test("a person's own .gitignore is not changed, and the missing line is reported", async () => {
  const here = folder()
  mkdirSync(join(here, '.agents'))
  const file = join(here, '.agents/.gitignore')
  writeFileSync(file, '*.tmp\n')
  const ran = await run(SEND, { folder: here })
  expect(ran).toMatchObject({
    code: 0,
    err: expect.stringContaining('put coord.db* in the .gitignore'),
  })
  expect(readFileSync(file, 'utf8')).toBe('*.tmp\n')
  // Reported only once, and not if the line is already there.
  expect((await run(SEND, { folder: here })).err).toBe('')
  for (const own of ['*\n', 'x\r\ncoord.db*\r\n', '/coord.db*']) {
    const there = folder()
    mkdirSync(join(there, '.agents'))
    writeFileSync(join(there, '.agents/.gitignore'), own)
    expect((await run(SEND, { folder: there })).err).not.toContain('gitignore')
    expect(readFileSync(join(there, '.agents/.gitignore'), 'utf8')).toBe(own)
  }
})

test('doctor warns while git would add the store to a commit', async () => {
  const here = folder()
  mkdirSync(join(here, '.agents'))
  const file = join(here, '.agents/.gitignore')
  writeFileSync(file, '*.tmp\n')
  await ask(SEND, { folder: here })
  const asked = async () => {
    const { out } = await run(['doctor', '--json'], { folder: here })
    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean }[] }
    return findings.find(({ check }) => check === 'git')
  }
  expect(await asked()).toMatchObject({ ok: true })
  git(here, 'init', '-q')
  expect(await asked()).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining('git does not ignore coord.db and coord.db-wal'),
    remedy: expect.stringContaining('name coord.db*'),
  })
  writeFileSync(file, 'coord.db*\n')
  expect(await asked()).toMatchObject({ ok: true })
  git(here, 'add', '-f', '.agents/coord.db')
  expect(await asked()).toMatchObject({ detail: expect.stringContaining('git keeps coord.db:') })
})

test('a .gitignore that is a link or a pipe is not written to', async () => {
  const victim = join(folder(), 'victim')
  const made = folder()
  await ask(SEND, { folder: made })
  const ours = readFileSync(join(made, '.agents/.gitignore'), 'utf8').split('\n')[0]
  writeFileSync(victim, `${ours}\n`)
  for (const lay of [
    (path: string) => symlinkSync(victim, path),
    (path: string) => void spawnSync('mkfifo', [path]),
  ]) {
    const here = folder()
    mkdirSync(join(here, '.agents'))
    lay(join(here, '.agents/.gitignore'))
    expect((await run(SEND, { folder: here })).code).toBe(0)
  }
  expect(readFileSync(victim, 'utf8')).toBe(`${ours}\n`)
})
