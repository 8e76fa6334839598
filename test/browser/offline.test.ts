// The server goes down and comes back, a session ends, a page is older than its server: nothing is lost or done twice.
import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

async function pushed(server: Running, comments: string): Promise<string> {
  const place = join(folder(), 'work')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'a.md'), '# Draft')
  const { body } = await op(server, 'workspace-add', { path: place, label: 'Thesis' })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const { body: made } = await op(server, 'push', { workspace, docs: ['a.md'], comments })
  return String(made.entry_id)
}

/** Starts a server with the same store and port, as after a restart. */
function startAgain({ port }: Running, db: string): Promise<Running> {
  return start({ db: [db], args: ['--port', String(port)] })
}

async function repliesTo(server: Running, entry: string): Promise<string[]> {
  const { body } = await op(server, 'push-show', { entry })
  return (body.replies as { body: string }[]).map(({ body }) => body)
}

test('replies are neither lost nor repeated when the server is killed in the middle', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.click(`[data-row="${entry}"]`)
  await page.waitForSelector('[data-state=live]')
  const field = page.locator('[aria-label="Reply"] textarea')
  await field.fill('Sent before')
  await field.press('Enter')
  await page.waitForSelector('li >> text="Sent before"')
  // This reply reaches the server but the response is lost, so the browser can't tell that it arrived.
  await page.route('**/api/ops/push-reply', async (route) => {
    await route.fetch().catch(() => {})
    server.signal('SIGKILL')
    await server.exited
    await route.abort('connectionreset')
  })
  await field.fill('Said as it went')
  await field.press('Enter')
  await page.waitForSelector('text="Waiting for the connection"')
  await page.unroute('**/api/ops/push-reply')
  await page.waitForSelector('text=Offline since')
  expect(await field.inputValue()).toBe('')
  // Sends another reply while the server is down.
  await field.fill('Said while it was away')
  await field.press('Enter')
  await page.waitForSelector('li >> text="Said while it was away"')
  await page.waitForSelector('text=2 actions will be sent when you’re back online')
  // Pending actions are kept in the browser.
  const kept = (await page.evaluate(
    'Object.entries(localStorage).filter(([name]) => name.startsWith("outbox:")).map(([, held]) => held).join()',
  )) as string
  expect(kept).toContain('Said while it was away')
  const again = await startAgain(server, db)
  await page.waitForSelector('text=Back online')
  await until(async () => (await repliesTo(again, entry)).length === 3, 'all replies are there')
  expect(await repliesTo(again, entry)).toEqual([
    'Sent before',
    'Said as it went',
    'Said while it was away',
  ])
  await page.waitForSelector('text="Waiting for the connection"', { state: 'detached' })
  expect(
    await page.evaluate(
      'Object.keys(localStorage).filter((one) => one.startsWith("outbox:")).length',
    ),
  ).toBe(0)
})

test('trashing while the server is down takes effect once, when it is back', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.click(`[data-row="${entry}"]`)
  await page.waitForSelector('text="1 unread"', { state: 'detached' })
  server.signal('SIGKILL')
  await server.exited
  await page.waitForSelector('text="Reconnecting…"')
  await page.locator('body').press('Delete')
  await page.waitForSelector('text="Moved to trash"')
  const again = await startAgain(server, db)
  const trashed = async () => {
    const { body } = await op(again, 'push-history', { trashed: true })
    return (body.entries as unknown[]).length === 1
  }
  await until(trashed, 'it is in the trash')
  await page.waitForSelector(`[data-row="${entry}"]`, { state: 'detached' })
})

test('an opened message shows placeholders, then the error, and loads once the server is back', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.waitForSelector('[data-state=live]')
  // This request never gets a response, as if the server hung.
  await page.route('**/api/ops/push-show', () => {})
  await page.click(`[data-row="${entry}"]`)
  const pane = page.locator('section[aria-label="Message"]')
  const bars = pane.locator('i')
  await bars.first().waitFor()
  expect(await bars.count()).toBe(4)
  expect(await pane.getAttribute('aria-busy')).toBe('true')
  const delay = await bars.first().evaluate((bar) => {
    const { getComputedStyle } = bar.ownerDocument.defaultView as unknown as {
      getComputedStyle: (of: unknown) => { animationDelay: string }
    }
    return getComputedStyle(bar.parentElement).animationDelay
  })
  expect(delay).toBe('0.4s')
  server.signal('SIGKILL')
  await server.exited
  await pane.getByText('Couldn’t load it: the server can’t be reached.').waitFor()
  expect(await pane.getAttribute('aria-busy')).toBe('false')
  await page.unroute('**/api/ops/push-show')
  const asked = page.waitForRequest('**/api/ops/push-show')
  await pane.getByRole('button', { name: 'Try again' }).click()
  await asked
  await startAgain(server, db)
  await page.waitForSelector('h2 >> text="The draft is done"')
})

test('code that cannot be loaded leaves the list visible, and Reload loads it', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  const request = await ask(server)
  // Only one chunk is this large: the one with the views of items.
  await page.route('**/app/chunk-*', async (route) => {
    const response = await route.fetch()
    if ((await response.body()).length > 100_000) await route.abort()
    else await route.fulfill({ response })
  })
  await signIn(ann, server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector('[role=alert] >> text="Reload"')
  expect(await page.locator(`[data-row="${entry}"]`).count()).toBe(1)
  await page.unroute('**/app/chunk-*')
  await page.click(`[data-row="${entry}"]`)
  // Chromium doesn't request a module again after it failed to load.
  await page.click('[role=alert] >> text="Reload"')
  await page.waitForSelector('h2 >> text="The draft is done"')
})

test('when the session ends, the page stays, keeps the draft, and continues after signing in', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.click(`[data-row="${entry}"]`)
  await page.waitForSelector('text="1 unread"', { state: 'detached' })
  const field = page.locator('[aria-label="Reply"] textarea')
  await field.fill('Half a thought')
  const { body } = await op(server, 'token-list')
  for (const { token_id } of body.tokens as { token_id: string }[]) {
    await op(server, 'token-revoke', { token: token_id })
  }
  await page.waitForSelector('dialog[open] >> text="Sign in again to continue"')
  await page.waitForSelector('dialog[open] >> text="1 draft kept"')
  expect(await page.locator('h2#item-title').textContent()).toBe('The draft is done')
  await page.keyboard.press('Escape')
  expect(await page.locator('dialog[open]').count()).toBe(1)
  const tab = await ann.context.newPage()
  const { body: link } = await op(server, 'sign-in', { server: server.url })
  await tab.goto(String(link.link))
  await tab.click('button')
  await tab.waitForSelector('h1 >> text="Inbox"')
  await page.bringToFront()
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  expect(await field.inputValue()).toBe('Half a thought')
  await field.press('Enter')
  await until(async () => (await repliesTo(server, entry)).includes('Half a thought'), 'it is sent')
})

test('a call refused for lack of a session ends the session in every tab', async () => {
  const server = await start()
  const ann = await visitor()
  const { page, context } = ann
  const first = await pushed(server, 'The draft is done')
  const { body } = await op(server, 'push', { comments: 'The plan is done' }, { as: 'harbor' })
  await signIn(ann, server, `/inbox/${first}`)
  await page.waitForSelector('[data-state=live]')
  await page.locator('[aria-label="Reply"] textarea').fill('Half a thought')
  // Opens another tab, which has no stream of its own.
  const other = await context.newPage()
  await other.goto(`${server.url}/inbox`)
  await other.waitForSelector('[data-state=live]')
  await context.clearCookies()
  const heard: string[] = []
  await other.exposeFunction('heard', (text: string) => heard.push(text))
  await other.evaluate(
    'new MutationObserver(() => heard(document.body.innerText)).observe(document.body, { subtree: true, childList: true })',
  )
  await other.click(`[data-row="${body.entry_id}"]`)
  for (const tab of [other, page]) {
    await tab.waitForSelector('dialog[open] >> text="Sign in again to continue"')
    await tab.waitForSelector('dialog[open] >> text=/^1 draft kept/')
  }
  // The server's message for unauthenticated callers is meant for agents, so the page must not show it.
  expect(heard.filter((text) => /X-Inbox-Agent|token issue/.test(text))).toEqual([])
  await signIn({ page: await context.newPage() }, server)
  for (const tab of [page, other]) {
    await tab.bringToFront()
    await tab.waitForSelector('dialog[open]', { state: 'detached' })
  }
  await other.waitForSelector('h2#item-title >> text="The plan is done"')
  expect(await page.locator('[aria-label="Reply"] textarea').inputValue()).toBe('Half a thought')
})

test('a pending reply survives leaving the page', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.click(`[data-row="${entry}"]`)
  await page.waitForSelector('text="1 unread"', { state: 'detached' })
  server.signal('SIGKILL')
  await server.exited
  const field = page.locator('[aria-label="Reply"] textarea')
  await field.fill('Do not forget')
  await field.press('Enter')
  await page.waitForSelector('text="Waiting for the connection"')
  await page.goto('about:blank')
  const again = await startAgain(server, db)
  await page.goto(`${again.url}/inbox`)
  await until(async () => (await repliesTo(again, entry)).length === 1, 'the reply is there')
  expect(await repliesTo(again, entry)).toEqual(['Do not forget'])
})

test('a reply refused once the server is back stays on the page', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server)
  await page.click(`[data-row="${entry}"]`)
  await page.waitForSelector('text="1 unread"', { state: 'detached' })
  server.signal('SIGKILL')
  await server.exited
  const field = page.locator('[aria-label="Reply"] textarea')
  await field.fill('Too late')
  await field.press('Enter')
  await page.waitForSelector('text="Waiting for the connection"')
  // The push is deleted elsewhere before the page reconnects.
  const other = await start({ db: [db] })
  await op(other, 'push-delete', { entries: [entry] })
  await other.stop()
  await startAgain(server, db)
  await page.waitForSelector('[role=alert] >> text=/Your reply to Thesis was refused/')
  await page.waitForSelector('[role=alert] >> text="Too late"')
  expect(
    await page.evaluate(
      'Object.keys(localStorage).filter((one) => one.startsWith("outbox:")).length',
    ),
  ).toBe(0)
})

test('a draft survives a reload', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const entry = await pushed(server, 'The draft is done')
  await signIn(ann, server, `/inbox/${entry}`)
  await page.locator('[aria-label="Reply"] textarea').fill('Half a thought')
  await page.reload()
  expect(await page.locator('[aria-label="Reply"] textarea').inputValue()).toBe('Half a thought')
})

test('a page older than its server says so, and reloads only on request', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  const { page } = ann
  await signIn(ann, server)
  await page.waitForSelector('[data-state=live]')
  await page.evaluate('document.querySelector("script[type=module]").src = "/app/main-older.js"')
  server.signal('SIGKILL')
  await server.exited
  await startAgain(server, db)
  await page.waitForSelector('text="A new version is ready"')
  await page.evaluate('window.isSamePage = true')
  await page.click('text="Reload"')
  await page.waitForFunction('window.isSamePage === undefined')
  await page.waitForSelector('[data-state=live]')
  expect(await page.locator('text="A new version is ready"').count()).toBe(0)
})
