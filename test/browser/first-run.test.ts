// A new user's first minutes: the page says what to type, notices that it was typed, and shows the first message.

import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { op, servers } from '../server/serving.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

test('an empty inbox shows how to connect an agent, and notices each step', async () => {
  const server = await start()
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.waitForSelector('h2 >> text="Nothing here yet"')
  await page.waitForSelector('text="Waiting for the first agent to connect"')
  await page.click('text="Codex"')
  const commands = (await page.locator('ol code').allTextContents()).join('\n')
  expect(commands).toContain('install codex')

  const project = join(folder(), 'shop')
  mkdirSync(project)
  const typed = Bun.spawn(['sh', '-ec', commands], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await typed.exited).toBe(0)
  await page.waitForSelector('li:has-text("Workspace shop added")')
  await page.waitForSelector('li:has-text("codex is connected")')
  await page.waitForSelector('text="Waiting for the first message from codex"')

  const { body } = await op(server, 'push', { comments: 'Three things' }, { as: 'codex' })
  await page.waitForSelector(`[data-row="${body.entry_id}"]`)
  await page.waitForSelector('h2 >> text="Nothing here yet"', { state: 'detached' })
  expect(complaints).toEqual([])
})
