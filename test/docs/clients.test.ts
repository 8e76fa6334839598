// The pages about clients: each client has one, and every command on it works.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT, piecesFor } from '../../src/clients/client.ts'
import type { ClientName } from '../../src/core/clients/client.ts'
import { folders, run } from '../program/process.ts'
import { blocks, ROOT, read } from './documents.ts'

const folder = folders()
const CLIENTS = Object.keys(CLIENT) as ClientName[]

test.each(CLIENTS)('every command on the page of %s works', async (client) => {
  const here = folder()
  const lines = blocks(read(`docs/clients/${client}.md`), 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line !== '')
  expect(lines.length).toBeGreaterThanOrEqual(2)
  const env = { PATH: `${join(ROOT, 'dist')}:${process.env.PATH}` }
  for (const line of lines) {
    const { code, err } = await run(['-c', line], { folder: here, program: ['/bin/sh'], env })
    expect({ line, code, err }).toMatchObject({ line, code: 0 })
  }
  const woken = await run(['wake', 'explain', 'builder', '--json'], { folder: here })
  expect(JSON.parse(woken.out)).toMatchObject({ agent: 'builder', wakes: false })
})

test.each(CLIENTS)('the page of %s names the files that install writes', (client) => {
  const page = read(`docs/clients/${client}.md`)
  const words = () => ['inbox']
  const setup = { reach: { command: 'inbox', args: [] }, hook: words, toolHook: words }
  const skills = { mailbox: '' }
  const parts = { hooks: true, approvals: false, skills: true }
  const pieces = piecesFor(client, 'project', { ...setup, skills }, parts)
  expect(pieces.length).toBeGreaterThan(2)
  const places = pieces.map(({ file }) => file.replace(/\/mailbox\/SKILL\.md$|\/mailroom\.js$/, ''))
  for (const place of new Set(places)) expect(page).toContain(`\`${place}\``)
  expect(existsSync(join(ROOT, 'docs/clients', `${client}.md`))).toBe(true)
})
