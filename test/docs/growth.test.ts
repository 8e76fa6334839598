// What it takes to add a subject with a record and two operations, and a single operation. Both are added to a copy of
// the sources, where they must compile and be proved through the library and at a door. growth/edits.test.ts counts the
// existing files that they touch.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT, runStep } from '../../scripts/run-step.ts'
import { serverUrl } from '../worlds/server.ts'
import { type FileEdit, OPERATION_EDITS, SUBJECT_EDITS } from './growth/edits.ts'

const COPIED = ['src', 'sql', 'skills', 'skills-server', 'scripts', 'test', 'bench', 'examples']
const copy = mkdtempSync(join(tmpdir(), 'mailroom-growth-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

beforeAll(async () => {
  for (const name of [...COPIED, 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  grow('subject', SUBJECT_EDITS)
  grow('operation', OPERATION_EDITS)
  await mustRun('scripts/generate-code.ts')
})

function grow(what: string, edits: FileEdit[]): void {
  const folder = join(import.meta.dirname, 'growth', what)
  const next = String(readdirSync(join(copy, 'sql')).filter((name) => /^\d/.test(name)).length + 1)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.txt')) continue
    const file = join(copy, path.replace('NEXT', next.padStart(4, '0')).slice(0, -'.txt'.length))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, readFileSync(join(folder, path)))
  }
  for (const { file, after, add } of edits) {
    const text = readFileSync(join(copy, file), 'utf8')
    writeFileSync(
      join(copy, file),
      text.replace(after, () => after + add),
    )
  }
}

async function mustRun(...args: string[]): Promise<string> {
  const env = { MAILROOM_TEST_PG: serverUrl(), MAILROOM_TEST_EXTENT: 'rule' }
  const { ok, output } = await runStep({
    name: args.join(' '),
    cmd: [process.execPath, ...args],
    cwd: copy,
    env,
  })
  if (!ok) throw new Error(output)
  return output
}

test('the additions compile and respect the rooms', async () => {
  await Promise.all([
    mustRun('node_modules/typescript/bin/tsc', '--singleThreaded'),
    mustRun('scripts/rooms.ts'),
  ])
})

test('the additions are proved through the library and at every door', async () => {
  await mustRun('scripts/build.ts')
  const files = ['bookmarks/bookmarks.test.ts', 'identity/workspace-show.test.ts']
  const proofs = files.map((file) => `./test/behaviours/${file}`)
  const tables = ['./test/contract/matrix.test.ts', './src/ops/inbox/event-types.test.ts']
  const output = await mustRun('test', ...proofs, ...tables)
  expect(output).toMatch(/\b0 fail\b/)
  expect(output).toContain('bookmark')
})
