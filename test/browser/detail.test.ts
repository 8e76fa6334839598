// An open message in the inbox: documents by keyboard and by mouse in every state, the delivery of replies, and opening
// the agent's session.
import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { bySocket, op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Files = Record<string, string | Uint8Array>

async function pushed(server: Running, files: Files, docs = Object.keys(files)) {
  const place = join(folder(), 'work')
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(place, path)), { recursive: true })
    await writeFile(join(place, path), content)
  }
  await mkdir(place, { recursive: true })
  for (const [path, content] of Object.entries(files)) await write(path, content)
  const { body } = await op(server, 'workspace-add', { path: place, label: 'Thesis' })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const push = { workspace, docs, comments: 'The draft is done\nSee what you think.' }
  const headers = { 'x-inbox-backend': 'codex', 'x-inbox-session': '0199-ab' }
  const { body: made } = await bySocket(server, '/api/ops/push', push, { headers })
  return { entry: String(made.entry_id), workspace, place, write }
}

/** Opens the first row by keyboard once it has loaded. */
async function openFirst(page: Page): Promise<void> {
  await page.waitForSelector('[data-row]')
  await page.keyboard.press('j')
}

function document(page: Page, path: string) {
  return page.locator(`[data-path="${path}"]`)
}

test('documents can be selected, opened, and shown full page by keyboard', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { entry } = await pushed(server, {
    'a.md': '# First',
    'b.md': '# Second',
    'c.md': '# Third',
  })
  await signIn(ann, server)
  await openFirst(ann.page)
  await page.waitForSelector('h3 >> text="First"')
  expect(await page.locator('h3 >> text="Second"').count()).toBe(0)
  for (const key of ['n', 'n']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('h3 >> text="Second"')
  await page.keyboard.press('f')
  await page.waitForSelector('dialog[open] >> text="Second"')
  expect(await page.evaluate('location.pathname + location.search')).toBe(
    `/inbox/${entry}?doc=b.md`,
  )
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.waitForURL((url) => url.search === '')
  await page.keyboard.press('p')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h3 >> text="First"', { state: 'detached' })
  // The document's address alone opens it too.
  await page.goto(`${server.url}/inbox/${entry}?doc=c.md`)
  await page.waitForSelector('dialog[open] >> text="Third"')
  expect(ann.complaints).toEqual([])
})

test('highlights a change without moving the text, and watches all documents with one wait', async () => {
  const server = await start()
  const ann = await visitor({ viewport: { width: 1200, height: 600 } })
  const { page } = ann
  const lines = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of the draft.`)
  const { write } = await pushed(server, { 'a.md': lines.join('\n\n'), 'b.md': 'Two' })
  const waits: string[] = []
  page.on('request', (asked) => {
    if (asked.url().includes('push-watch')) waits.push(asked.postData() ?? '')
  })
  await signIn(ann, server)
  await openFirst(ann.page)
  const read = page.locator('text="Paragraph 30 of the draft."')
  await read.scrollIntoViewIfNeeded()
  const before = (await read.boundingBox())?.y ?? 0
  await write(
    'a.md',
    ['A new beginning.', ...lines].join('\n\n').replace('Paragraph 31 of', '31 of'),
  )
  await page.waitForSelector('[data-new=true] >> text="A new beginning."', { state: 'attached' })
  expect(await page.locator('[data-new=true]').count()).toBe(2)
  await page.waitForSelector('text="Updated just now"', { state: 'attached' })
  expect(Math.abs(((await read.boundingBox())?.y ?? 0) - before)).toBeLessThan(3)
  await page.waitForSelector('[data-new=true]', { state: 'detached' })
  // The same wait watches the second document, though it is collapsed.
  await write('b.md', 'Two, changed')
  await document(page, 'b.md').getByText('Changed', { exact: true }).waitFor()
  await document(page, 'b.md').locator('[data-opener]').click()
  await page.waitForSelector('text="Two, changed"')
  for (const wait of waits) expect(JSON.parse(wait).seen).toHaveLength(2)
  expect(ann.complaints).toEqual([])
})

test('at 320 px file names and the names in the history are not cut off', async () => {
  const server = await start()
  const { entry, write } = await pushed(server, {
    'a.md': '# Draft',
    'b.md': 'Two',
    'c.md': 'Three',
  })
  await write('b.md', 'Two, changed')
  await op(server, 'send', { to: 'ledger', subject: 'Rotate the keys' })
  const { page } = await visitor({ viewport: { width: 320, height: 640 } })
  await signIn({ page }, server, `/inbox/${entry}`)
  await page.waitForSelector('[data-path] >> text=/^Live/')
  const cut = (which: string) =>
    page
      .locator(which)
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      )
  expect(await cut('[data-opener] > span')).toEqual([])
  await page.goto(`${server.url}/history`)
  await page.waitForSelector('[data-row] >> text="ledger"')
  expect(await cut('[data-row] [dir=auto]:not(:has(+ svg:last-child))')).toEqual([])
})

test('an unchanged file is not sent again', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { entry } = await pushed(server, { 'a.md': '# Draft' })
  const statuses: number[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('/file?')) statuses.push(answer.status())
  })
  await signIn(ann, server)
  await openFirst(ann.page)
  await page.waitForSelector('h3 >> text="Draft"')
  // The page requests everything it shows again, as it would after a long absence.
  const reply = { entry, comments: 'Go on' }
  await op(server, 'push-reply', reply)
  const field = page.locator('[aria-label="Reply"] textarea')
  await field.fill('And this')
  await field.press('Enter')
  await until(async () => statuses.length > 1, 'the file is asked for again')
  expect([...new Set(statuses.slice(1))]).toEqual([304])
  await page.waitForSelector('h3 >> text="Draft"')
})

test('every state of a document has its message', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const long = 'A line of the log\n'.repeat(40_000)
  const files = {
    'a.md': '# Draft\n\n![chart](img/chart.png) ![gone](img/none.png)',
    'img/chart.png': PNG,
    'gone.md': 'Soon gone',
    'data.xlsx': new Uint8Array(48_000),
    'long.log': long,
    'huge.md': `# Huge\n\n${'word '.repeat(2_000_000)}`,
    'empty.txt': '',
    'secret.env': 'A=1',
  }
  const docs = Object.keys(files)
  const { place, workspace } = await pushed(server, files, docs)
  await rm(join(place, 'gone.md'))
  chmodSync(join(place, 'secret.env'), 0)
  await signIn(ann, server)
  await openFirst(ann.page)
  // An image next to the document is shown. A missing one stays text.
  await page.waitForSelector('img[alt="chart"]')
  expect(await page.evaluate('document.querySelector("img[alt=chart]").naturalWidth')).toBe(1)
  await page.waitForSelector('text="Image: gone"')
  await document(page, 'gone.md').locator('text="Check again"').waitFor()
  await document(page, 'data.xlsx').locator('text="Excel, 48 kB"').waitFor()
  expect(await document(page, 'data.xlsx').locator('[data-opener]').count()).toBe(0)
  const download = page.waitForEvent('download')
  await document(page, 'data.xlsx').locator('a[download]').click()
  expect((await download).suggestedFilename()).toBe('data.xlsx')
  await document(page, 'long.log').locator('[data-opener]').click()
  await document(page, 'long.log').locator('text="Showing the first 200 kB."').waitFor()
  const shown = () =>
    page.evaluate(
      'document.querySelector("[data-path=\'long.log\'] pre").textContent.length',
    ) as Promise<number>
  expect(await shown()).toBeLessThan(200_001)
  await document(page, 'long.log').locator('text="Show all 720 kB"').click()
  await until(async () => (await shown()) === long.length, 'all of it is shown')
  await document(page, 'huge.md').locator('[data-opener]').click()
  await document(page, 'huge.md').locator('text="Download 10 MB"').waitFor()
  await document(page, 'empty.txt').locator('[data-opener]').click()
  await document(page, 'empty.txt').locator('text="This file is empty."').waitFor()
  // A server running as root can read everything.
  if (process.getuid?.() !== 0)
    await document(page, 'secret.env')
      .locator('text="The server isn’t allowed to read this file."')
      .waitFor()
  await op(server, 'workspace-remove', { workspace })
  await page.reload()
  await page.waitForSelector('text=You can’t reply')
  expect(await page.locator('[aria-label="Reply"]').count()).toBe(0)
})

test('a reply is tracked from queued to acted, and says whether the agent can be reached', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { entry } = await pushed(server, { 'a.md': 'One' })
  await signIn(ann, server)
  await openFirst(ann.page)
  await page.waitForSelector(
    '[aria-label="Reply"] >> text=/the reply is kept for it|nothing is known/',
  )
  await page.keyboard.press('r')
  await page.keyboard.type('Two')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('lines')
  await page.keyboard.press('Enter')
  const step = (name: string) => page.waitForSelector(`[aria-label="Delivery: ${name}"]`)
  await step('Queued')
  const sent = page.locator('[aria-label="Reply"] >> text=/^Sent\\./')
  await sent.waitFor()
  const { body } = await op(server, 'mail-read', {}, { as: 'Thesis' })
  const [mail] = body.messages as { id: string; body: string }[]
  expect(mail?.body).toBe('Two\nlines')
  await step('Presented')
  // The note that the reply is waiting no longer applies.
  await sent.waitFor({ state: 'detached' })
  await op(server, 'mail-mark-read', { messages: [mail?.id] }, { as: 'Thesis' })
  await step('Read')
  const answer = { to: 'user', type: 'answer', body: 'Done', in_reply_to: mail?.id }
  await op(server, 'mail-send', answer, { as: 'Thesis' })
  await step('Acted')
  await page.waitForSelector('[aria-label="Conversation"] >> text="Done"')
  expect(await page.evaluate('location.pathname')).toBe(`/inbox/${entry}`)
})

test('opens the session in the owner’s terminal, or offers the command to copy', async () => {
  const place = folder()
  const started = join(place, 'started.txt')
  const terminal = join(place, 'terminal.sh')
  writeFileSync(
    terminal,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${started}.part && mv ${started}.part ${started}\n`,
  )
  chmodSync(terminal, 0o755)
  const server = await start({ env: { INBOX_TERMINAL: terminal } })
  const ann = await visitor()
  await pushed(server, { 'a.md': 'One' })
  await signIn(ann, server)
  await openFirst(ann.page)
  await ann.page.waitForSelector('text="Open session"')
  await ann.page.keyboard.press('t')
  await ann.page.waitForSelector('text=in your terminal')
  const words = await until(() => readFile(started, 'utf8').catch(() => undefined), 'the terminal')
  expect(words).toBe('codex\nresume\n0199-ab\n')
  await rm(started)
  // Without its key, the page doesn't start the session.
  await ann.page.evaluate('localStorage.removeItem("page-key")')
  await ann.page.click('text="Open session"')
  await ann.page.waitForSelector('dialog[open] >> text=codex resume 0199-ab')
  expect(await readFile(started, 'utf8').catch(() => 'nothing')).toBe('nothing')
  await ann.page.keyboard.press('Escape')
  await ann.page.waitForSelector('dialog[open]', { state: 'detached' })
})

test('a push marked as unread stays unread until it is opened again', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { entry } = await pushed(server, { 'a.md': 'One' })
  await op(server, 'push', { comments: 'Another' }, { as: 'Thesis' })
  await signIn(ann, server)
  const unread = () =>
    op(server, 'push-show', { entry }).then(
      ({ body }) => (body.entry as { unread: boolean }).unread,
    )
  await page.click(`[data-row="${entry}"]`)
  await until(async () => !(await unread()), 'it is read')
  await page.waitForSelector('text="1 unread"')
  await page.keyboard.press('u')
  await until(unread, 'it is unread')
  // Longer than it takes for an open push to count as read.
  await page.waitForTimeout(1200)
  expect(await unread()).toBe(true)
  await page.keyboard.press('k')
  await page.waitForSelector('h2 >> text="Another"')
  await page.keyboard.press('j')
  await until(async () => !(await unread()), 'it is read again')
})

test('axe finds nothing in any state of an open message', async () => {
  const server = await start()
  const ann = await visitor()
  const { entry, place } = await pushed(server, {
    'a.md': '# Draft\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```',
    'page.html': '<h1>Hello</h1>',
    'gone.md': 'x',
    'data.bin': new Uint8Array(10),
  })
  await rm(join(place, 'gone.md'))
  await op(server, 'push-reply', { entry, comments: 'Well done' })
  await everyLook(ann, server, {
    [`/inbox/${entry}`]: '[aria-label="Delivery: Queued"]',
    [`/inbox/${entry}?doc=a.md`]: 'dialog[open] h3',
  })
  expect(ann.complaints).toEqual([])
})
