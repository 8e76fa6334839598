// The history in a real browser: filters in the address, the exact object, and the export as one file.
import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fillStore } from '../../bench/fill.ts'
import { op, type Running, servers } from '../server/serving.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

async function write(server: Running, subject: string, type = 'custom', to = 'atlas') {
  const { body } = await op(server, 'mail-send', { to, type, subject, body: `${subject}.` })
  return (body.message as { id: string }).id
}

async function withMail(): Promise<Running> {
  const server = await start()
  await op(server, 'agent-register', { agent: 'atlas', may_write_to_user: true })
  await op(server, 'agent-register', { agent: 'ledger' })
  await write(server, 'Rehearse once more')
  await write(server, 'Which replica may I read?', 'question')
  await write(server, 'Replica-b, read-only', 'answer', 'ledger')
  return server
}

test('filters messages by type, agent, and text, all in the address', async () => {
  const server = await withMail()
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  const rows = page.locator('[data-row]')
  await rows.nth(2).waitFor()
  // The newest is first.
  expect(await rows.first().textContent()).toContain('Replica-b, read-only')
  // Each type shows its count.
  const chip = (type: string) => page.getByRole('button', { name: new RegExp(`^${type} \\d+$`) })
  expect(await chip('question').textContent()).toBe('question 1')
  expect(await chip('cancel').textContent()).toBe('cancel 0')
  await page.waitForSelector('text="3 messages"')
  await chip('question').click()
  await page.waitForURL('**/history?type=question')
  await page.waitForSelector('text="1 message"')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.textContent()).toContain('Which replica may I read?')
  await chip('answer').click()
  await rows.nth(1).waitFor()
  await page.getByLabel('Agent', { exact: true }).selectOption('ledger')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.textContent()).toContain('Replica-b')
  await page.click('text="Reset"')
  await rows.nth(2).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('rehearse')
  await page.waitForURL('**/history?q=rehearse')
  await rows.nth(1).waitFor({ state: 'detached' })
  // The same address shows the same messages again.
  await page.reload()
  await rows.first().waitFor()
  expect(await rows.textContent()).toContain('Rehearse once more')
  await page.locator('input[type=search]').fill('nobody wrote this')
  await page.waitForSelector('text="No messages match."')
  expect(complaints).toEqual([])
})

/** Longer than the page waits for a document to be parsed. */
const SLOW_MS = 1800

test('a message opened by keyboard shows its exact JSON', async () => {
  const server = await withMail()
  const id = await write(server, 'The last one')
  const { page } = await visitor()
  // Over a slow connection, the highlighting worker loads late. The document must not count as slow because of that.
  await page.route('**/document-worker-*.js', async (route) => {
    await Bun.sleep(SLOW_MS)
    await route.continue()
  })
  await signIn({ page }, server, '/history')
  await page.waitForSelector(`[data-row="${id}"]`)
  await page.keyboard.press('j')
  await page.waitForURL(`**/history/${id}`)
  await page.waitForSelector('pre [data-scope]')
  const { body } = await op(server, 'mail-history', { limit: 1 })
  const [message] = body.messages as object[]
  expect(JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(message)
})

test('new messages do not move the list until the person asks for them', async () => {
  const server = await withMail()
  const { page } = await visitor()
  await signIn({ page }, server, '/history')
  await page.locator('[data-row]').nth(2).waitFor()
  const where = () => page.locator('[data-row]').first().boundingBox()
  const before = await where()
  await write(server, 'A new one')
  const id = await write(server, 'Another', 'question')
  await page.waitForSelector('text="2 new"')
  expect(await page.locator('[data-row]').count()).toBe(3)
  expect(await where()).toEqual(before)
  await page.keyboard.press('.')
  await page.waitForSelector(`[data-row="${id}"]`)
  await page.waitForSelector('text="2 new"', { state: 'detached' })
  await page.waitForSelector('text="5 messages"')
})

test('the count matches the rows shown even after new messages arrive', async () => {
  const server = await withMail()
  const { page } = await visitor()
  await signIn({ page }, server, '/history')
  await page.waitForSelector('text="3 messages"')
  await write(server, 'And which one now?', 'question')
  await page.waitForSelector('text="1 new"')
  await page.getByRole('button', { name: 'question 1' }).click()
  await page.locator('[data-row]', { hasText: 'And which one now?' }).waitFor()
  await page.waitForSelector('text="2 messages"')
  await page.getByRole('button', { name: 'question 2' }).waitFor()
  // The earlier rows come back with the earlier count.
  await page.click('text="Reset"')
  await page.waitForSelector('text="3 messages"')
  expect(await page.locator('[data-row]').count()).toBe(3)
})

test('misses no message before the stream opens or while another tab takes it over', async () => {
  const server = await withMail()
  const { page, context } = await visitor()
  await signIn({ page }, server)
  // The stream opens long after the first responses.
  let open = () => {}
  const hold = async () => {
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    await context.route('**/api/events*', async (route) => {
      await opened
      await route.continue()
    })
  }
  await hold()
  // The counts refresh on their own, so only the rows show what the list knows.
  await page.goto(`${server.url}/history`)
  await page.locator('[data-row]').nth(2).waitFor()
  await write(server, 'Before the stream')
  open()
  await page.waitForSelector('text="1 new"')
  // Another tab takes over the stream, and a message arrives before it is open.
  await context.unroute('**/api/events*')
  const other = await context.newPage()
  await other.goto(`${server.url}/history`)
  await other.locator('[data-row]').nth(3).waitFor()
  await write(server, 'Heard by both')
  await other.waitForSelector('text="1 new"')
  await hold()
  await page.close()
  await write(server, 'Between the two')
  open()
  await other.waitForSelector('text="2 new"')
})

test('filters by date, direction, and workspace, and keeps them in the address', async () => {
  const server = await withMail()
  await op(server, 'mail-send', { to: 'user', subject: 'From atlas' }, { as: 'atlas' })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/history')
  const rows = page.locator('[data-row]')
  await rows.nth(3).waitFor()
  await page.getByLabel('Direction').selectOption('To you')
  await page.waitForURL('**/history?dir=in')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.textContent()).toContain('From atlas')
  await page.getByLabel('Direction').selectOption('From you')
  await rows.nth(2).waitFor()
  await page.click('text="Reset"')
  await page.getByRole('button', { name: 'Dates: Any date' }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await page.waitForSelector('text="No messages match."')
  expect(await page.evaluate('location.search')).toMatch(/from=[\d-]{10}&to=[\d-]{10}/)
  // The dialog has closed, and the focus is back.
  await page.locator('button:focus', { hasText: /\d/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('To', { exact: true }).fill('2099-01-01')
  await page.keyboard.press('Escape')
  await rows.nth(3).waitFor()
  // An invalid date, and dates in the wrong order.
  await page.goto(`${server.url}/history?from=2099-01-01&to=2020-01-01`)
  await rows.nth(3).waitFor()
  await page.goto(`${server.url}/history?from=yesterday&dir=up&ws=ws_none`)
  await page.waitForSelector('text="No messages match."')
  expect(await page.getByLabel('Workspace').inputValue()).toBe('ws_none')
  expect(complaints).toEqual([])
})

test('with 100,000 messages few rows are rendered, and scrolling loads older ones', async () => {
  const db = join(folder(), 'store.db')
  await fillStore(db, { threads: 60_000 })
  const server = await start({ db: [db] })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/history')
  await page.locator('[data-row]').first().waitFor()
  const counted = await page.locator('header [role=status]', { hasText: /\d/ }).textContent()
  const total = Number(counted?.replace(/\D/g, ''))
  expect(total).toBeGreaterThan(100_000)
  const nodes = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>
  const list = page.locator('section > div > [aria-busy]')
  for (let pages = 1; pages <= 8; pages++) {
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    // The first row of the next page.
    await page.waitForSelector(`li[aria-posinset="${pages * 200 + 1}"]`)
  }
  const rows = await page.locator('[data-row]').count()
  expect(rows).toBeLessThan(80)
  expect(await nodes()).toBeLessThan(1500)
  const place = await page.locator('li[aria-posinset]').last().getAttribute('aria-posinset')
  expect(Number(place)).toBeGreaterThan(1000)
  // J continues from a visible row, and scrolls the next one into view.
  await page.locator('[data-row]').last().click()
  const opened = new URL(page.url()).pathname
  await page.keyboard.press('j')
  await page.waitForURL(({ pathname }) => pathname !== opened)
  const next = new URL(page.url()).pathname.split('/').at(-1)
  await page.waitForSelector(`[data-row="${next}"]:focus`)
  // A message far down can be opened by its address.
  const { body } = await op(server, 'mail-history', { before: 900, limit: 1 })
  const [oldest] = body.messages as { id: string; subject: string }[]
  await page.goto(`${server.url}/history/${oldest?.id}`)
  await page.waitForSelector('pre [data-scope]')
  expect(await page.locator('pre').textContent()).toContain(oldest?.id as string)
  expect(complaints).toEqual([])
})

test('exports what the filters show, oldest first, in pages, with a header', async () => {
  const server = await withMail()
  const many = Array.from({ length: 520 }, (_, at) => at)
  for (const at of many) await write(server, `Number ${at}`)
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/history?type=custom')
  await page.locator('[data-row]').first().waitFor()
  await page.waitForSelector('text="521 messages"')
  const exported = async (form: string) => {
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Export 521 messages' }).waitFor()
    await page.getByRole('radio', { name: form, exact: true }).check()
    const coming = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const download = await coming
    await page.waitForSelector('dialog[open]', { state: 'detached' })
    return download
  }
  const download = await exported('JSON, one object')
  expect(download.suggestedFilename()).toMatch(/^history_[\d-]{10}_[\d-]{10}\.json$/)
  const file = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(file.header).toMatchObject({ filter: { type: ['custom'] }, count: 521, order: 'asc' })
  const subjects = file.messages.map(({ subject }: { subject: string }) => subject)
  expect(subjects).toEqual(['Rehearse once more', ...many.map((at) => `Number ${at}`)])
  await page.waitForSelector('text="Exported 521 messages"')
  const lines = await exported('NDJSON, one line per message')
  expect(lines.suggestedFilename()).toMatch(/^history_[\d-]{10}_[\d-]{10}\.ndjson$/)
  const text = await readFile(await lines.path(), 'utf8')
  const [header, ...messages] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header.header).toMatchObject({ count: 521, order: 'asc' })
  expect(messages).toEqual(file.messages)
  // Not all messages are loaded as rows, so the new count builds on the earlier one.
  await write(server, 'One more')
  await page.waitForSelector('text="1 new"')
  await page.keyboard.press('.')
  await page.waitForSelector('text="522 messages"')
  expect(complaints).toEqual([])
})

test('a canceled or failed export leaves no file', async () => {
  const server = await withMail()
  const { page } = await visitor()
  let files = 0
  page.on('download', () => (files += 1))
  await signIn({ page }, server, '/history')
  await page.locator('[data-row]').first().waitFor()
  await page.waitForSelector('text="3 messages"')
  // No response arrives until the person has canceled.
  await page.route('**/api/ops/mail-history', () => {})
  await page.click('button >> text="Export"')
  await page.click('text="Export as JSON"')
  await page.waitForSelector('text="0 of 3 read"')
  await page.click('dialog >> text="Cancel"')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.unroute('**/api/ops/mail-history')
  await page.route('**/api/ops/mail-history', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'it broke' } } }),
  )
  await page.click('button >> text="Export"')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('text="Couldn’t export: it broke"')
  expect(files).toBe(0)
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const server = await withMail()
  const id = await write(server, 'A-word-without-an-end'.repeat(9))
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/history': `[data-row="${id}"]`,
    [`/history/${id}?type=custom`]: 'pre [data-scope]',
    '/history/msg_none?q=nothing&from=2020-01-01': 'text="No messages match."',
  })
})
