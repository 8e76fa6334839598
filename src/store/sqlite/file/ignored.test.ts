// Each case is checked against git itself.

import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { notIgnoredByGit } from './ignored.ts'

const made = mkdtempSync(join(tmpdir(), 'mailroom-ignored-'))
afterAll(() => rmSync(made, { recursive: true }))

const NAMES = ['coord.db', 'coord.db-wal', 'coord.db-journal']
const NO_OWN_RULES = { GIT_CONFIG_GLOBAL: '/dev/null', XDG_CONFIG_HOME: '/nowhere' }
let count = 0

function git(root: string, ...words: string[]): string {
  const env = { ...Bun.env, ...NO_OWN_RULES }
  return spawnSync('git', words, { cwd: root, encoding: 'utf8', env }).stdout
}

function repository(lists: Record<string, string>): string {
  count += 1
  const root = join(made, `repository${count}`)
  mkdirSync(join(root, 'deep/.agents'), { recursive: true })
  git(root, 'init', '-q')
  mkdirSync(join(root, '.git/info'), { recursive: true })
  for (const [name, text] of Object.entries(lists)) writeFileSync(join(root, name), text)
  return root
}

const filesIn = (root: string) => NAMES.map((name) => join(root, 'deep/.agents', name))

function leftByGit(root: string): string[] {
  const ignored = git(root, 'check-ignore', '--no-index', ...filesIn(root)).split('\n')
  return filesIn(root).filter((file) => !ignored.includes(file))
}

const LISTS = [
  '',
  '*.tmp',
  'coord.db',
  'coord.db*',
  '/coord.db*',
  'deep/.agents/coord.db*',
  '*.db',
  '*',
  '.agents',
  '.agents/',
  '/.agents',
  'deep/',
  'deep/**',
  'deep/*',
  '**/coord.db*',
  '**/*.db',
  'deep/**/coord.db',
  '*.db\n!coord.db',
  '!coord.db\n*.db',
  '.agents/\n!coord.db',
  '#coord.db*',
  'coord.db*   ',
  'coord.db\\ ',
  'coord?db',
  'coord[.]db',
  'c[!x]ord.db',
  'c[a-z]*',
  '[z-a]',
  'a[b',
  'coord.db*\r\n',
  '\\coord.db',
  '/',
  '\\',
  '*.db-*',
  'coord+db',
  'agents/**',
  '**/.agents',
  'x/**',
]

test.each(LISTS.map((list) => [list]))('agrees with git, with %j at each place', (list) => {
  for (const name of [
    '.gitignore',
    'deep/.gitignore',
    'deep/.agents/.gitignore',
    '.git/info/exclude',
  ]) {
    const root = repository({ [name]: list })
    const left = { name, left: notIgnoredByGit(filesIn(root)).map((one) => basename(one)) }
    expect(left).toEqual({ name, left: leftByGit(root).map((one) => basename(one)) })
  }
})

test('the nearest .gitignore wins', () => {
  const root = repository({ '.gitignore': 'coord.db*', 'deep/.agents/.gitignore': '!coord.db-wal' })
  expect(notIgnoredByGit(filesIn(root))).toEqual([join(root, 'deep/.agents/coord.db-wal')])
  expect(leftByGit(root)).toEqual([join(root, 'deep/.agents/coord.db-wal')])
})

test('skips a .gitignore that is a link or a pipe, and returns nothing outside a repository', () => {
  const root = repository({ elsewhere: 'coord.db*' })
  symlinkSync(join(root, 'elsewhere'), join(root, '.gitignore'))
  spawnSync('mkfifo', [join(root, 'deep/.gitignore')])
  expect(notIgnoredByGit(filesIn(root))).toHaveLength(3)
  mkdirSync(join(made, 'plain'))
  expect(notIgnoredByGit([join(made, 'plain', 'coord.db')])).toEqual([])
})

test('a linked worktree uses the main worktree’s exclude list', () => {
  const root = repository({ '.git/info/exclude': '*.db' })
  git(root, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty')
  const linked = join(made, 'linked')
  git(root, 'worktree', 'add', '-q', linked)
  mkdirSync(join(linked, 'deep/.agents'), { recursive: true })
  expect(notIgnoredByGit(filesIn(linked))).toEqual(filesIn(linked).slice(1))
})
