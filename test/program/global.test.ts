// After `npm install -g .` in a checkout, every new terminal finds the programs and their man pages.

import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { folders, ROOT, run } from './process.ts'

const folder = folders()

function installFrom(checkout: string, prefix: string) {
  const args = ['install', '-g', '--prefix', prefix, '--offline', '--no-audit', '.']
  return run(args, { folder: checkout, program: ['npm'], env: { HOME: prefix } })
}

test('puts the programs and their man pages where a shell finds them', async () => {
  const prefix = folder()
  expect(await installFrom(ROOT, prefix)).toMatchObject({ code: 0 })
  const here = folder()
  const env = { PATH: `${join(prefix, 'bin')}:/usr/bin:/bin` }
  const shell = { folder: here, program: ['/bin/sh'], env }
  for (const program of ['inbox', 'orch', 'agent-worker']) {
    const { code, out } = await run(['-c', `command -v ${program}`], shell)
    expect({ code, out }).toEqual({ code: 0, out: `${join(prefix, 'bin', program)}\n` })
  }
  expect(await run(['-c', 'inbox version'], shell)).toMatchObject({ code: 0, out: '0.1.0\n' })
  const says = await run(['-c', 'agent-worker help'], shell)
  expect(says).toMatchObject({ code: 0, out: expect.stringMatching(/^agent-worker: /) })
  for (const name of ['inbox.1', 'agent-worker.1']) {
    const page = realpathSync(join(prefix, 'share/man/man1', name))
    expect(page).toBe(realpathSync(join(ROOT, 'docs/man', name)))
  }
})

test('in a checkout without a build, says what to do first', async () => {
  const checkout = folder()
  const pages = ['docs/man/inbox.1', 'docs/man/agent-worker.1']
  for (const one of ['package.json', 'scripts/preinstall.mjs', ...pages]) {
    mkdirSync(join(checkout, one, '..'), { recursive: true })
    cpSync(join(ROOT, one), join(checkout, one))
  }
  const ran = await installFrom(checkout, folder())
  expect(ran.code).not.toBe(0)
  expect(ran.err).toContain("First run 'npm install && npm run build' here.")
})
