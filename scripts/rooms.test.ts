import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkRooms } from './rooms.ts'

const temp = mkdtempSync(join(tmpdir(), 'rooms-'))
afterAll(() => rmSync(temp, { recursive: true }))

const LEASE = { 'core/lease.ts': 'export const lease = 1' }

/** Writes the files to a fresh folder. */
function plant(files: Record<string, string>): string {
  const src = mkdtempSync(join(temp, 'src-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, path)), { recursive: true })
    writeFileSync(join(src, path), text)
  }
  return src
}

function violations(files: Record<string, string>): string[] {
  return checkRooms(plant(files)).violations
}

test('an empty folder is a failure', () => {
  expect(violations({})).toEqual(['no source files found: wrong folder?'])
})

test('a folder that does not exist is a failure', () => {
  expect(checkRooms(join(temp, 'nowhere')).violations).toHaveLength(1)
})

test('allowed imports pass in every form', () => {
  expect(
    violations({
      ...LEASE,
      'ops/take.ts': "import { lease } from '../core/lease.ts'\nexport const take = lease",
      'doors/cli/main.ts':
        "import { writeSync } from 'node:fs'\nimport type { take } from '../../ops/take.ts'\nexport { lease } from '../../core/lease.ts'\nexport type Take = typeof take\nwriteSync(1, '')",
      'store/open.ts': "import { DatabaseSync } from 'node:sqlite'\nexport { DatabaseSync }",
      'wake/wait.ts': "import { setTimeout } from 'node:timers/promises'\nexport { setTimeout }",
      'core/lease.test.ts': "import { test } from 'bun:test'\ntest(process.title, () => {})",
      'bin/main.ts': "import os from 'node:os'\nexport const home = [os, process.env, Bun.argv]",
      'index.ts': "export { lease } from './core/lease.ts'",
    }),
  ).toEqual([])
})

describe('a forbidden room is refused', () => {
  const files = { ...LEASE, 'store/open.ts': 'export type Open = 1\nexport const open = 1' }
  for (const [form, text] of Object.entries({
    'static import': "import { open } from '../store/open.ts'\nexport const a = open",
    'import over several lines':
      "import {\n  open,\n} from '../store/open.ts'\nexport const a = open",
    'type import': "import type { Open } from '../store/open.ts'\nexport type A = Open",
    'type query': "export type A = import('../store/open.ts').Open",
    'dynamic import': "export const a = () => import('../store/open.ts')",
    're-export': "export { open } from '../store/open.ts'",
    'export all': "export * from '../store/open.ts'",
    'import for effect': "import '../store/open.ts'",
  }))
    test(form, () => {
      const found = violations({ ...files, 'core/bad.ts': text })
      expect(found).toHaveLength(1)
      expect(found[0]).toContain('core may import nothing and not store')
    })
})

describe('subjects of a room', () => {
  const take = { 'ops/inbox/role-queue.ts': 'export type Take = 1\nexport const take = 1' }
  const arrowsOf = (files: Record<string, string>) => checkRooms(plant(files)).arrows

  test('a subject loads those of earlier layers, even lazily, and is counted', () => {
    const files = {
      ...take,
      'ops/mail/send.ts': "export { take } from '../inbox/role-queue.ts'",
      'ops/mail/read.ts': "export const read = () => import('../inbox/role-queue.ts')",
      'ops/mail/type.ts': "export type { Take } from '../inbox/role-queue.ts'",
      'ops/call.ts': "export { take } from './inbox/role-queue.ts'",
    }
    expect(violations(files)).toEqual([])
    expect(arrowsOf(files)).toBe(2)
  })

  test('a subject cannot load later ones in any form except as a type', () => {
    const send = { 'ops/mail/send.ts': 'export type Send = 1\nexport const send = 1' }
    const refused =
      'src/ops/inbox/role-queue.ts:1 imports ../mail/send.ts; in ops inbox may load kit and not mail'
    for (const text of [
      "export { send } from '../mail/send.ts'",
      "export const take = () => import('../mail/send.ts')",
    ]) {
      expect(violations({ ...send, 'ops/inbox/role-queue.ts': text })).toEqual([refused])
    }
    const type = "export type { Send } from '../mail/send.ts'"
    expect(violations({ ...send, 'ops/inbox/role-queue.ts': type })).toEqual([])
  })

  test('the two engines cannot import each other', () => {
    const found = violations({
      'store/sqlite/open.ts': 'export const open = 1',
      'store/postgres/open.ts': "export { open } from '../sqlite/open.ts'",
    })
    expect(found).toHaveLength(1)
  })

  test('a folder that is not a subject is refused', () => {
    const found = violations({ 'ops/stuff/take.ts': 'export const take = 1' })
    expect(found).toHaveLength(1)
    expect(found[0]).toStartWith('src/ops/stuff/take.ts:1 is in no subject')
  })
})

describe('subjects of the web room', () => {
  const ui = { 'web/ui/button.tsx': 'export const Button = 1' }
  const inbox = {
    'web/screens/inbox/list.tsx': 'export type Row = 1\nexport const List = 1',
    'web/screens/inbox/list.module.css': '.list {}',
  }

  test('a folder with a two-part name is a subject', () => {
    const files = {
      ...ui,
      ...inbox,
      'web/items/push/push.tsx': "export { Button } from '../../ui/button.tsx'",
      'web/screens/inbox/screen.tsx':
        "export const load = () => import('../../items/push/push.tsx')",
      'web/router.tsx': "export { List } from './screens/inbox/list.tsx'",
    }
    expect(violations(files)).toEqual([])
    expect(checkRooms(plant(files)).arrows).toBe(2)
  })

  test('a screen cannot load another or its style sheet', () => {
    for (const [text, to] of [
      ["export { List } from '../inbox/list.tsx'", '../inbox/list.tsx'],
      ["export const load = () => import('../inbox/list.tsx')", '../inbox/list.tsx'],
      ["import css from '../inbox/list.module.css'\nexport { css }", '../inbox/list.module.css'],
    ]) {
      const found = violations({ ...inbox, 'web/screens/agents/screen.tsx': text as string })
      expect(found).toHaveLength(1)
      expect(found[0]).toStartWith(`src/web/screens/agents/screen.tsx:1 imports ${to}; in web`)
      expect(found[0]).toEndWith('and not screens/inbox')
    }
    const sheet = {
      'web/screens/agents/a.css': '.a { composes: list from "../inbox/list.module.css"; }',
    }
    expect(violations({ ...inbox, ...sheet })).toHaveLength(1)
    const type = "export type { Row } from '../inbox/list.tsx'"
    expect(violations({ ...inbox, 'web/screens/agents/screen.tsx': type })).toEqual([])
  })

  test('an item cannot load a screen, and shared files cannot load an item', () => {
    const push = { 'web/items/push/push.tsx': 'export const Push = 1' }
    expect(
      violations({
        ...inbox,
        'web/items/push/push.tsx': "export { List } from '../../screens/inbox/list.tsx'",
      }),
    ).toHaveLength(1)
    for (const shared of ['ui/a', 'api/a', 'live/a', 'shell/a', 'shell/deep/a', 'items/thread/a']) {
      const up = '../'.repeat(shared.split('/').length - 1)
      const text = `export { Push } from '${up}items/push/push.tsx'`
      expect(violations({ ...push, [`web/${shared}.ts`]: text })).toHaveLength(1)
    }
  })

  test('a file next to the folders of screens is in no subject', () => {
    const found = violations({ 'web/screens/search.ts': 'export const search = 1' })
    expect(found).toHaveLength(1)
    expect(found[0]).toStartWith('src/web/screens/search.ts:1 is in no subject')
  })
})

test('doors never import doors', () => {
  const found = violations({
    'doors/mcp/tool.ts': 'export const tool = 1',
    'doors/cli/main.ts': "import { tool } from '../mcp/tool.ts'\nexport const main = tool",
  })
  expect(found).toEqual([
    'src/doors/cli/main.ts:1 imports ../mcp/tool.ts; doors/cli may import ops, core and not doors/mcp',
  ])
})

test('web may import types from ops but no code', () => {
  const op = { 'ops/send.ts': 'export type Send = 1\nexport const send = 1' }
  const types = "import type { Send } from '../ops/send.ts'\nexport type S = Send"
  const value = "import { send } from '../ops/send.ts'\nexport const s = send"
  expect(violations({ ...op, 'web/view.tsx': types })).toEqual([])
  expect(violations({ ...op, 'web/view.tsx': value })).toHaveLength(1)
})

test.each([
  ['core/a.ts', 'node:fs'],
  ['core/a.ts', 'node:path'],
  ['store/a.ts', 'node:child_process'],
  ['wake/a.ts', 'pg'],
  ['ops/a.ts', 'node:fs'],
  ['doors/cli/a.ts', 'node:path'],
  ['core/a.test.ts', 'pg'],
])('%s may not import %s', (path, module) => {
  const found = violations({ [path]: `export const a = () => import('${module}')` })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(`imports ${module};`)
})

test.each([
  ['core/a.ts', 'export const a = Date.now()'],
  ['core/a.ts', "export const a = Date['now']()"],
  ['core/a.ts', 'export const a = new Date()'],
  ['core/a.ts', 'export const a = Math.random()'],
  ['core/a.ts', 'export const a = () => setTimeout(a, 1)'],
  ['core/a.ts', 'export const a = process.pid'],
  ['ops/a.ts', 'export const a = { process }'],
  ['store/a.ts', 'export const a = globalThis.process'],
  ['store/a.ts', 'export const a = Bun.version'],
  ['index.ts', 'export const a = process.env'],
])('%s may not contain %s', (path, text) => {
  expect(violations({ [path]: text })).toHaveLength(1)
})

test('a name that only looks like a global is allowed', () => {
  const text =
    'export type P = typeof process\nexport const a = (x: { process: number }) => [x.process, new Date(0), "process", Date.UTC(1)] // process'
  expect(violations({ 'core/a.ts': text })).toEqual([])
})

describe('heavy modules', () => {
  const heavy = { 'bin/hash.ts': "import { hash } from 'node:crypto'\nexport { hash }" }

  test('are refused on the command path, however deep', () => {
    const found = violations({
      ...heavy,
      'bin/wire.ts': "export { hash } from './hash.ts'",
      'bin/main.ts': "import { hash } from './wire.ts'\nexport const a = hash",
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain('src/bin/hash.ts:1 loads node:crypto with every command')
  })

  test('are allowed in a module that is imported lazily, or as a type', () => {
    const main =
      "import type { X509Certificate } from 'node:crypto'\nexport const a = (_: X509Certificate) => import('./hash.ts')"
    expect(violations({ ...heavy, 'bin/main.ts': main })).toEqual([])
  })

  test('are refused everywhere if there is no command', () => {
    expect(violations(heavy)).toHaveLength(1)
  })

  test('are recognized by what is imported, not by its local name', () => {
    const main = "export const a = async () => {\n  const pg = await import('pg')\n  return pg\n}"
    expect(violations({ 'bin/main.ts': main })).toEqual([])
  })

  test('include process.stdout and Intl', () => {
    const main = 'export const a = () => [process.stdout, new Intl.NumberFormat()]'
    expect(violations({ 'bin/main.ts': main })).toHaveLength(2)
  })
})

test('an import cycle is refused once, and a cycle of types is allowed', () => {
  const b = "import type { a } from './a.ts'\nexport const b = 1\nexport type A = typeof a"
  const a = "import { b } from './b.ts'\nexport const a = b"
  expect(violations({ 'core/a.ts': a, 'core/b.ts': b })).toEqual([])
  expect(violations({ 'core/a.ts': a, 'core/b.ts': b.replace('import type', 'import') })).toEqual([
    'import cycle: core/a.ts -> core/b.ts -> core/a.ts',
  ])
})

test('a file outside the rooms, a computed import, a missing file and a path out of src are refused', () => {
  expect(violations({ 'extra/a.ts': 'export {}' })).toHaveLength(1)
  expect(violations({ 'core/a.ts': 'export const a = (x: string) => import(x)' })).toHaveLength(1)
  expect(violations({ 'core/a.ts': "import './gone.ts'" })).toHaveLength(1)
  expect(violations({ 'core/a.ts': "import '../../package.json'" })).toHaveLength(1)
})

test('top-level await is refused, but await in a function is allowed', () => {
  expect(violations({ 'core/a.ts': 'export const a = await 1' })).toHaveLength(1)
  expect(violations({ 'core/a.ts': 'export const a = async () => await 1' })).toEqual([])
})

test('a file that does not parse is a failure', () => {
  expect(() => violations({ 'core/a.ts': 'export const = 1' })).toThrow('core/a.ts')
})
