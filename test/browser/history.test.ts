// The history in a real browser: filters that stand in the address, the exact object, and all of it as one file.
import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { op, type Running, servers } from '../server/serving.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function write(server: Running, subject: string, type = 'custom', to = 'atlas') {
  const { body } = await op(server, 'mail-send', { to, type, subject, body: `${subject}.` })
  return (body.message as { id: string }).id
}

async function withMail(): Promise<Running> {
  const server = await start()
  await op(server, 'agent-register', { agent: 'atlas' })
  await op(server, 'agent-register', { agent: 'ledger' })
  await write(server, 'Rehearse once more')
  await write(server, 'Which replica may I read?', 'question')
  await write(server, 'Replica-b, read-only', 'answer', 'ledger')
  return server
}

test('messages are filtered by type, agent and words, all in the address', async () => {
  const server = await withMail()
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  const rows = page.locator('[data-row]')
  await rows.nth(2).waitFor()
  // The newest is first.
  expect(await rows.first().textContent()).toContain('Replica-b, read-only')
  await page.click('button >> text="question"')
  await page.waitForURL('**/history?type=question')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.textContent()).toContain('Which replica may I read?')
  await page.click('button >> text="answer"')
  await rows.nth(1).waitFor()
  await page.selectOption('select', 'ledger')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.textContent()).toContain('Replica-b')
  await page.click('text="Reset"')
  await rows.nth(2).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('rehearse')
  await page.waitForURL('**/history?q=rehearse')
  await rows.nth(1).waitFor({ state: 'detached' })
  // The same address shows the same again.
  await page.reload()
  await rows.first().waitFor()
  expect(await rows.textContent()).toContain('Rehearse once more')
  await page.locator('input[type=search]').fill('nobody wrote this')
  await page.waitForSelector('text="No message matches."')
  expect(complaints).toEqual([])
})

test('a message is opened by the keyboard as the exact object', async () => {
  const server = await withMail()
  const id = await write(server, 'The last one')
  const { page } = await visitor()
  await signIn({ page }, server)
  await page.goto(`${server.url}/history`)
  await page.waitForSelector(`[data-row="${id}"]`)
  await page.keyboard.press('j')
  await page.waitForURL(`**/history/${id}`)
  await page.waitForSelector('pre [data-scope]')
  const { body } = await op(server, 'mail-history', { limit: 1 })
  const [message] = body.messages as object[]
  expect(JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(message)
})

test('what comes meanwhile moves nothing, and is shown when it is asked for', async () => {
  const server = await withMail()
  const { page } = await visitor()
  await signIn({ page }, server)
  await page.goto(`${server.url}/history`)
  await page.locator('[data-row]').nth(2).waitFor()
  const id = await write(server, 'A new one')
  await page.waitForSelector('text="Show newer"')
  expect(await page.locator('[data-row]').count()).toBe(3)
  await page.click('text="Show newer"')
  await page.waitForSelector(`[data-row="${id}"]`)
  await page.waitForSelector('text="Show newer"', { state: 'detached' })
})

test('what the filters show is exported oldest first, page by page, with its header', async () => {
  const server = await withMail()
  const many = Array.from({ length: 520 }, (_, at) => at)
  for (const at of many) await write(server, `Number ${at}`)
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.goto(`${server.url}/history?type=custom`)
  await page.locator('[data-row]').first().waitFor()
  const coming = page.waitForEvent('download')
  await page.click('text="Export JSON"')
  const download = await coming
  expect(download.suggestedFilename()).toMatch(/^history_[\d-]{10}_[\d-]{10}\.json$/)
  const file = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(file.header).toMatchObject({ filter: { type: ['custom'] }, count: 521, order: 'asc' })
  const subjects = file.messages.map(({ subject }: { subject: string }) => subject)
  expect(subjects).toEqual(['Rehearse once more', ...many.map((at) => `Number ${at}`)])
  await page.waitForSelector('text="Exported 521 messages"')
  expect(complaints).toEqual([])
})

test('an export is cancelled, and one that fails says so; neither leaves a file', async () => {
  const server = await withMail()
  const { page } = await visitor()
  let files = 0
  page.on('download', () => (files += 1))
  await signIn({ page }, server)
  await page.goto(`${server.url}/history`)
  await page.locator('[data-row]').first().waitFor()
  // Nobody answers until the person has cancelled.
  await page.route('**/api/ops/mail-history', () => {})
  await page.click('text="Export JSON"')
  await page.waitForSelector('text="0 read"')
  await page.click('text="Cancel"')
  await page.waitForSelector('text="0 read"', { state: 'detached' })
  await page.unroute('**/api/ops/mail-history')
  await page.route('**/api/ops/mail-history', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'it broke' } } }),
  )
  await page.click('text="Export JSON"')
  await page.waitForSelector('text="Couldn\'t export: it broke"')
  expect(files).toBe(0)
})

test('nothing that axe finds, in both themes, on a desk and on a phone', async () => {
  const server = await withMail()
  const id = await write(server, 'A-word-without-an-end'.repeat(9))
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/history': `[data-row="${id}"]`,
    [`/history/${id}?type=custom`]: 'pre [data-scope]',
    '/history/msg_none?q=nothing': 'text="No message matches."',
  })
})
