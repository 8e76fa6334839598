// How a person learns that an agent needs them, in a real browser: in the tab, on the page, and on the desktop.
import { expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { PATIENCE_MS } from '../tools/chromium.ts'
import { until } from '../worlds/world.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()
const GRANTED = { permissions: ['notifications'] }

/**
 * Records the browser notifications that the page creates, which still work as usual. Only the permission is
 * overridden, because a browser without a desktop reports denied even if permission was granted.
 */
const RECORD = `
  globalThis.shown = []
  const Real = globalThis.Notification
  globalThis.Notification = class extends Real {
    static get permission() {
      return 'granted'
    }
    constructor(title, options) {
      super(title, options)
      this.note = { title, body: options.body, tag: options.tag, isClosed: false }
      this.note.one = this
      globalThis.shown.push(this.note)
    }
    close() {
      this.note.isClosed = true
      super.close()
    }
  }
`
type Shown = { title: string; body: string; tag: string; isClosed: boolean }

const shownIn = (page: Page) =>
  page.evaluate('shown.map(({ one: _, ...rest }) => rest)') as Promise<Shown[]>
const click = (page: Page, at: number) =>
  page.evaluate(`shown[${at}].one.dispatchEvent(new Event('click'))`)
/** The page's content security policy forbids eval, so the condition is evaluated from outside. */
async function whenTrue(page: Page, condition: string): Promise<void> {
  await until(async () => (await page.evaluate(condition)) === true, condition, PATIENCE_MS)
}
const whenShown = (page: Page, count: number) => whenTrue(page, `shown.length >= ${count}`)
/** Waits until the page has decided whether to notify. The count in the title may arrive before that. */
const whenAnnounced = (page: Page) =>
  page.getByRole('status').getByText('ledger needs a decision').waitFor({ state: 'attached' })

async function openWithNotifications(
  server: Running,
  context: BrowserContext,
  page: Page,
): Promise<void> {
  await op(server, 'person-set', { desktop: 'on' })
  await context.addInitScript(RECORD)
  await signIn({ page }, server)
  await opened(page, `${server.url}/settings/about`)
}

/** Opens a page and waits until it has loaded the existing items. Whatever arrives later is news. */
async function opened(page: Page, address: string): Promise<void> {
  // Leaves the previous page first, because it may still make the same request.
  await page.goto('about:blank')
  const asked = page.waitForResponse(
    (answer) =>
      answer.url().includes('/desk-list') &&
      answer.request().postData()?.includes('"needs_you":true,"limit":500') === true,
  )
  await page.goto(address)
  await (await asked).finished()
  await page.getByText('Live').first().waitFor()
}

async function whenListed(server: Running, thread: string): Promise<void> {
  const isListed = async () => {
    const { body } = await op(server, 'desk-list', { needs_you: true })
    return JSON.stringify(body.rows).includes(thread)
  }
  await until(isListed, 'it is back on the desk', PATIENCE_MS)
}

test('the title, icon, and rail count only what needs the person', async () => {
  const server = await start()
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  const icon = () => page.locator('link[rel=icon]').getAttribute('href')
  await whenTrue(page, "document.title === 'Inbox – Mailroom'")
  expect(await icon()).toMatch(/icon-[0-9a-f]+\.svg$/)
  const request = await ask(server)
  await whenTrue(page, "document.title === '(1) Inbox – Mailroom'")
  expect(await icon()).toMatch(/icon-needs-/)
  // A different icon must not count as a new version of the page.
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.waitForURL('**/trash')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  expect(await page.getByText('A new version is ready').count()).toBe(0)
  await op(server, 'reject', { request, revision: 1 })
  await whenTrue(page, "document.title === 'Inbox – Mailroom'")
  // A push is unread but doesn't need anyone's attention.
  await op(server, 'push', { comments: 'The report is written' }, { as: 'ledger' })
  await page.locator('link[rel=icon][href*="icon-unread-"]').waitFor({ state: 'attached' })
  expect(await page.title()).toBe('Inbox – Mailroom')
  expect(complaints).toEqual([])
})

test('a countdown in the inbox runs by the second, and never shows more than the time given', async () => {
  const server = await start()
  const { page } = await visitor()
  // Creates another row first, so that the list loads before the request exists.
  await ask(server, { title: 'Raise the floor' })
  await signIn({ page }, server)
  await page.getByText('Raise the floor').waitFor()
  const given = 30
  await ask(server, { expires_seconds: given })
  const time = page.locator('[data-soon=true]')
  await time.waitFor()
  const seconds = async () => Number.parseInt((await time.textContent()) ?? '', 10)
  const first = await seconds()
  expect(first).toBeLessThanOrEqual(given)
  await until(async () => (await seconds()) <= first - 2, 'two seconds less', PATIENCE_MS)
})

test('a toast appears on other screens, and Shift+N opens the request from anywhere', async () => {
  const server = await start()
  const { page, context } = await visitor(GRANTED)
  await openWithNotifications(server, context, page)
  const first = await ask(server, { title: 'Raise the limit' })
  const notice = page.getByRole('status').filter({ hasText: 'Raise the limit' })
  await notice.getByRole('button', { name: 'Open' }).waitFor()
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/approvals/${first}`)
  await notice.waitFor({ state: 'detached' })
  // A request that is visible on the open screen doesn't need a toast.
  const second = await ask(server, { title: 'Lower the limit' })
  await whenTrue(page, "document.title.startsWith('(2)')")
  await whenShown(page, 2)
  expect(await page.getByRole('button', { name: 'Open' }).count()).toBe(0)
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/approvals/${second}`)
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/approvals/${first}`)
  await whenTrue(page, "document.title === '(2) Raise the limit – Mailroom'")
  for (const request of [first, second]) await op(server, 'reject', { request, revision: 1 })
  await whenTrue(page, "document.title === 'Raise the limit – Mailroom'")
  // The title's count and the rows come in different responses. Desktop notifications must be gone once the rows are.
  await whenTrue(page, 'shown.length === 2 && shown.every(({ isClosed }) => isClosed)')
  await page.keyboard.press('Shift+N')
  await page.getByText('Nothing needs your attention.').waitFor()
  await page.waitForURL(`**/approvals/${first}`)
})

test('Shift+N waits for rows the title already counts', async () => {
  const server = await start()
  const { page, context } = await visitor(GRANTED)
  await openWithNotifications(server, context, page)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/ops/desk-list', async (route) => {
    await held.promise
    await route.continue()
  })
  const request = await ask(server)
  await whenTrue(page, "document.title.startsWith('(1)')")
  await page.keyboard.press('Shift+N')
  held.resolve()
  await page.waitForURL(`**/approvals/${request}`)
  expect(await page.getByText('Nothing needs your attention.').count()).toBe(0)
})

test('a request whose snooze ends is counted, announced, and can be opened', async () => {
  const server = await start()
  const request = await ask(server, { title: 'Raise the limit' })
  const { page } = await visitor()
  await page.clock.install()
  await signIn({ page }, server, '/history')
  const soon = new Date(Date.now() + 2000).toISOString()
  await op(server, 'desk-snooze', { threads: [request], until: soon })
  await whenTrue(page, "document.title === 'History – Mailroom'")
  await whenListed(server, request)
  await page.clock.fastForward('01:00')
  await whenTrue(page, "document.title.startsWith('(1)')")
  await page.getByRole('status').filter({ hasText: 'Raise the limit' }).waitFor()
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/approvals/${request}`)
})

test('the browser asks for permission only after the button is pressed', async () => {
  const server = await start()
  const { page, context } = await visitor()
  await context.addInitScript(`
    globalThis.asked = 0
    const ask = Notification.requestPermission.bind(Notification)
    Object.defineProperty(Notification, 'permission', { get: () => globalThis.asked ? 'granted' : 'default' })
    Notification.requestPermission = () => { globalThis.asked++; return ask() }
  `)
  await signIn({ page }, server)
  await ask(server)
  await whenTrue(page, "document.title.startsWith('(1)')")
  expect(await page.evaluate('asked')).toBe(0)
  await page.goto(`${server.url}/settings/notifications`)
  await page.getByRole('button', { name: 'Tell me when an agent needs me' }).click()
  await page.getByRole('switch', { name: 'Desktop notifications', checked: true }).waitFor()
  expect(await page.evaluate('asked')).toBe(1)
})

test('shows one desktop notification, closes it when resolved, and opens it on click', async () => {
  const server = await start()
  const old = await ask(server, { title: 'There before' })
  const { page, context, complaints } = await visitor(GRANTED)
  await openWithNotifications(server, context, page)
  const request = await ask(server, {
    type: 'deploy',
    title: 'Raise the limit',
    payload: { secret: 'hunter2' },
  })
  await whenShown(page, 1)
  expect(await shownIn(page)).toEqual([
    {
      title: 'ledger needs a decision',
      body: 'Raise the limit',
      tag: request,
      isClosed: false,
    },
  ])
  // A comment on the request isn't news.
  await op(server, 'comment', { request, body: 'It is urgent' }, { as: 'ledger' })
  await op(server, 'reject', { request, revision: 1 })
  await whenTrue(page, 'shown[0].isClosed')
  const other = await ask(server, { title: 'Lower the limit' })
  await whenShown(page, 2)
  await click(page, 1)
  await page.waitForURL(`**/approvals/${other}`)
  expect(await shownIn(page)).toMatchObject([{ isClosed: true }, { tag: other, isClosed: true }])
  expect(JSON.stringify(await shownIn(page))).not.toContain(old)
  expect(complaints).toEqual([])
})

test('with two tabs only one notifies, and more than three at once become one', async () => {
  const server = await start()
  const { page, context } = await visitor(GRANTED)
  await openWithNotifications(server, context, page)
  const second = await context.newPage()
  await opened(second, `${server.url}/settings/about`)
  for (const title of ['One', 'Two', 'Three', 'Four']) await ask(server, { title })
  await whenTrue(second, "document.title.startsWith('(4)')")
  await whenTrue(page, "shown.some(({ tag }) => tag === 'needs-you')")
  const notes = await shownIn(page)
  expect(notes.filter(({ isClosed }) => !isClosed)).toMatchObject([
    { tag: 'needs-you', title: '4 things need you' },
  ])
  expect(await shownIn(second)).toEqual([])
})

test('quiet hours suppress notifications, but counts still update', async () => {
  const server = await start()
  const { page, context } = await visitor({ ...GRANTED, timezoneId: 'Europe/Berlin' })
  await page.clock.setFixedTime(new Date('2026-11-16T22:30:00+01:00'))
  await openWithNotifications(server, context, page)
  await op(server, 'person-set', { quiet_from: '22:00', quiet_to: '07:00' })
  await opened(page, `${server.url}/settings/notifications`)
  await page.getByLabel('Quiet from').waitFor()
  await ask(server, { title: 'In the night' })
  await whenAnnounced(page)
  expect(await shownIn(page)).toEqual([])
  expect(await page.getByRole('button', { name: 'Open' }).count()).toBe(0)
  // At 7:05 quiet hours are over.
  await page.clock.setFixedTime(new Date('2026-11-17T07:05:00+01:00'))
  await ask(server, { title: 'In the morning' })
  await whenShown(page, 1)
  expect(await shownIn(page)).toMatchObject([{ body: 'In the morning' }])
})

test('the palette can pause notifications for 1 hour, and one click ends the pause', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pause for')
  await page.getByRole('option', { name: 'Pause notifications for 1 hour' }).click()
  const paused = page.getByRole('button', { name: /^Paused until \d\d:\d\d/ })
  await paused.waitFor()
  await opened(page, `${server.url}/trash`)
  await paused.waitFor()
  await ask(server)
  await whenAnnounced(page)
  expect(await page.getByRole('button', { name: 'Open' }).count()).toBe(0)
  await paused.click()
  await paused.waitFor({ state: 'detached' })
})

/** Records each note that the page plays. */
const LISTEN = `
  globalThis.notes = []
  const Real = globalThis.OscillatorNode
  globalThis.OscillatorNode = class extends Real {
    constructor(context, options) {
      super(context, options)
      globalThis.notes.push(options.frequency)
    }
  }
`

test('a sound plays only if enabled, and at most every ten seconds', async () => {
  const server = await start()
  const { page, context } = await visitor()
  await context.addInitScript(LISTEN)
  const at = (seconds: number) =>
    page.clock.setFixedTime(new Date(Date.parse('2026-11-16T12:00:00Z') + seconds * 1000))
  await at(0)
  await signIn({ page }, server)
  await opened(page, `${server.url}/settings/notifications`)
  await ask(server, { title: 'In silence' })
  await whenTrue(page, "document.title.startsWith('(1)')")
  expect(await page.evaluate('notes.length')).toBe(0)
  await page.getByRole('switch', { name: 'Sound' }).click()
  await page.getByRole('switch', { name: 'Sound', checked: true }).waitFor()
  await ask(server, { title: 'With a sound' })
  await whenTrue(page, 'notes.length === 2')
  await at(9)
  await ask(server, { title: 'Too soon' })
  await whenTrue(page, "document.title.startsWith('(3)')")
  expect(await page.evaluate('notes.length')).toBe(2)
  await at(11)
  await ask(server, { title: 'Later' })
  await whenTrue(page, 'notes.length === 4')
})

test('failed work is announced only if enabled', async () => {
  const server = await start()
  const { page, context } = await visitor(GRANTED)
  await openWithNotifications(server, context, page)
  const fails = async (subject: string) => {
    const { body } = await op(server, 'send', { to: 'mica', subject })
    const { thread_id: thread } = body.thread as { thread_id: string }
    await op(server, 'claim', { thread }, { as: 'mica' })
    await op(server, 'fail', { thread, summary: 'It broke' }, { as: 'mica' })
    return thread
  }
  await fails('Before it was chosen')
  await page.goto(`${server.url}/settings/notifications`)
  const asked = page.waitForResponse(
    (answer) => answer.request().postData()?.includes('"status":["failed"]') === true,
  )
  await page.getByRole('switch', { name: 'Failed work' }).click()
  await (await asked).finished()
  expect(await shownIn(page)).toEqual([])
  const thread = await fails('Afterwards')
  await whenShown(page, 1)
  expect(await shownIn(page)).toMatchObject([
    { title: 'mica failed', body: 'Afterwards', tag: thread },
  ])
  await click(page, 0)
  await page.waitForURL(`**/threads/${thread}`)
})
