// A phone in a real browser: one column, a list that opens an item and returns to the same place, and targets large
// enough for a thumb. Nothing is missing at double size.
import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openMailroom } from '../../src/bin/compose.ts'
import { op, type Running, servers } from '../server/serving.ts'
import { begin, speak } from '../worlds/instances.ts'
import { until } from '../worlds/world.ts'
import { ask, signIn } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const PHONE = { isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } }

type Filled = { server: Running; addresses: Record<string, string> }

/** Fills a store with content for every screen. Each address comes with a selector that appears when it's ready. */
async function filled(): Promise<Filled> {
  const server = await start()
  await op(server, 'agent-register', { agent: 'harbor', role: 'builder', may_write_to_user: true })
  const request = await ask(server, { agent: 'harbor' })
  const ids: string[] = []
  for (let at = 0; at < 30; at++) {
    const comments = `Rehearsal ${at} passes\n\nAll steps are scripted now.`
    const { body } = await op(server, 'push', { comments }, { as: 'harbor' })
    ids.push(String(body.entry_id))
  }
  const [trashed = '', pushed = ''] = ids
  await op(server, 'push-trash', { entries: [trashed] })
  const { body: told } = await op(server, 'notify', { message: 'Disk is full' }, { as: 'harbor' })
  const { body: work } = await op(server, 'send', { to: 'harbor', subject: 'Rotate the keys' })
  const { body: mail } = await op(server, 'mail-send', { to: 'harbor', subject: 'One more' })
  const { thread_id } = work.thread as { thread_id: string }
  const { id: message } = mail.message as { id: string }
  const room = await openMailroom(server.stores[0]?.store ?? '')
  await begin(room, { instance: 'audit', dir: folder() }, ['atlas', 'sable'])
  await speak(room, 'atlas@audit', '@sable and @user, look at notes.md', { instance: 'audit' })
  await room.close()
  await op(server, 'workflow-context-doc-write', {
    instance: 'audit',
    file: 'notes.md',
    content: '# Draft',
  })
  return {
    server,
    addresses: {
      '/channels': '[data-row]',
      '/channels/audit': '[data-entry]',
      '/channels/audit?panel=around': 'aside >> text="notes.md"',
      '/channels/audit/doc/notes.md': 'select',
      '/inbox': '[data-row]',
      [`/inbox/${pushed}`]: 'h2 >> text="Rehearsal 1 passes"',
      '/approvals': '[data-row]',
      [`/approvals/${request}`]: 'button >> text="Approve"',
      '/threads?state=waiting': '[data-row]',
      [`/threads/${thread_id}`]: 'h2 >> text="Rotate the keys"',
      '/agents': '[data-row]',
      '/agents/harbor': 'h2 >> text="harbor"',
      '/history': '[data-row]',
      [`/history/${message}`]: 'pre [data-scope]',
      '/notifications': '[data-row]',
      [`/notifications/${told.entry_id}`]: 'h2 >> text="Disk is full"',
      '/trash': '[data-row]',
      [`/trash/${trashed}`]: 'h2 >> text="Rehearsal 0 passes"',
      '/settings': 'h1 >> text="Settings"',
    },
  }
}

/** Runs in the page. Finds small targets, text that makes a phone zoom in, shortcut hints, and sideways scrolling. */
const FAULTS = `(() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1
  const all = (which) => [...document.querySelectorAll(which)].filter(seen)
  const called = (one) => one.tagName + ' ' + (one.getAttribute('aria-label') || one.textContent || one.name || '').trim().slice(0, 40)
  const isInText = (one) => one.closest('p, dd, dt, small, td, summary, li li') !== null || getComputedStyle(one).display === 'inline'
  const small = all('a, button, select, input:not([type=radio], [type=checkbox]), textarea, summary')
    .filter((one) => !isInText(one) && one.getAttribute('href') !== '#main')
    .filter((one) => {
      const target = one.closest('label') ?? one
      return target.getBoundingClientRect().height < 43.5
    })
  const tiny = all('input, select, textarea').filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16 && !['radio', 'checkbox'].includes(one.type))
  const wide = document.documentElement.scrollWidth - innerWidth
  return {
    small: small.map(called), tiny: tiny.map(called), keys: all('kbd').map(called), wide,
  }
})()`

async function faultsOf({ page }: Pick<Visitor, 'page'>): Promise<unknown> {
  return page.evaluate(FAULTS)
}

test('on two phone sizes no screen has small targets, small text, shortcut hints, or sideways scrolling', async () => {
  const { server, addresses } = await filled()
  const { page, complaints } = await visitor(PHONE)
  await signIn({ page }, server)
  const found: Record<string, unknown> = {}
  for (const [path, sign] of Object.entries(addresses)) {
    await page.goto(server.url + path)
    await page.locator(sign).first().waitFor()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      found[`${path} ${width}`] = await faultsOf({ page })
    }
  }
  const none = { small: [], tiny: [], keys: [], wide: 0 }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, none])))
  expect(complaints).toEqual([])
})

test('opening a row and going back returns to the same place in the list', async () => {
  const { server } = await filled()
  for (let at = 0; at < 30; at++) {
    await op(server, 'notify', { message: `Rehearsal ${at} is over` }, { as: 'harbor' })
  }
  const { page } = await visitor(PHONE)
  await signIn({ page }, server)
  for (const screen of ['history', 'notifications', 'inbox']) {
    await page.goto(`${server.url}/${screen}`)
    const row = page.locator('[data-row]', { hasText: 'Rehearsal 12' }).first()
    await page.locator('[data-row]').nth(5).waitFor()
    await page.locator('[data-row]').last().scrollIntoViewIfNeeded()
    await row.scrollIntoViewIfNeeded()
    const before = (await row.boundingBox())?.y as number
    const isBack = async () => {
      await row.waitFor()
      // The list renders before it scrolls.
      const isThere = async () => (await row.boundingBox())?.y === before
      await until(isThere, `the row of ${screen} is where it was`)
    }
    await row.tap()
    await page.waitForURL(`**/${screen}/*`)
    await page.locator('h2[tabindex="-1"]').first().waitFor()
    // The list is hidden, because there is one column.
    await row.waitFor({ state: 'hidden' })
    // An open item has its own bar, and no navigation below it.
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' })
    await page.goBack()
    await page.waitForURL(`**/${screen}`)
    await isBack()
    // The back arrow in the header does the same.
    await row.tap()
    await page.getByRole('link', { name: 'Back to the list' }).tap()
    await isBack()
  }
})

/** Swipes a row sideways from its middle. */
async function swipe(page: Page, row: Locator, by: number): Promise<void> {
  const box = await row.boundingBox()
  if (box === null) throw new Error('the row is not there')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const line = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    line.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{ x: at, y }],
    })
  await touch('touchStart', x)
  for (const part of [0.2, 0.5, 1]) await touch('touchMove', x + by * part)
  await touch('touchEnd')
  await line.detach()
}

test('swiping a row marks it as read, or trashes it with an undo', async () => {
  const { server } = await filled()
  const { page, complaints } = await visitor(PHONE)
  await signIn({ page }, server)
  const row = page.locator('[data-row]', { hasText: 'Rehearsal 29' })
  await row.waitFor()
  await page.waitForSelector('section[data-swipes]')
  await swipe(page, row, 40)
  await page.locator('[data-row][data-sign="unread"]', { hasText: 'Rehearsal 29' }).waitFor()
  await swipe(page, row, 150)
  await page.locator('[data-row][data-sign="none"]', { hasText: 'Rehearsal 29' }).waitFor()
  await swipe(page, row, -150)
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().tap()
  await row.waitFor()
  // No row was opened along the way.
  expect(await page.evaluate('location.pathname')).toBe('/inbox')
  expect(complaints).toEqual([])
})

test('a missing item links back to its list', async () => {
  const server = await start()
  const { page } = await visitor(PHONE)
  await signIn({ page }, server)
  for (const [path, text] of [
    ['/inbox/thr_nothing', 'Show the inbox'],
    ['/approvals/req_nothing', 'Show all requests'],
    ['/threads/thr_nothing', 'Show all threads'],
    ['/agents/nobody', 'Show all agents'],
    ['/channels/nothing', 'Show all channels'],
  ] as const) {
    await page.goto(server.url + path)
    await page.getByRole('link', { name: text }).tap()
    await page.waitForURL(`**/${path.split('/')[1]}`)
  }
})

/** Runs in the page. Finds controls that a toast covers. */
const COVERED = `(() => {
  const notice = document.querySelector('[role=status] > div')
  const { left, right, top, bottom } = notice.getBoundingClientRect()
  const under = (one) => {
    const box = one.getBoundingClientRect()
    return box.width > 1 && box.left < right && box.right > left && box.top < bottom && box.bottom > top
  }
  const isOther = (one) => !notice.contains(one) && one.checkVisibility({ visibilityProperty: true })
  const box = notice.getBoundingClientRect()
  return {
    isWhole: box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth,
    covered: [...document.querySelectorAll('nav :is(a, button), header :is(a, button), textarea')]
      .filter((one) => isOther(one) && under(one))
      .map((one) => one.textContent),
  }
})()`

/** Runs in the page. Returns the title and position of each item in the rail. */
const RAIL = `[...document.querySelectorAll('nav :is(a, button)')].map(
  (one) => one.title + one.getBoundingClientRect().top)`

test('a toast does not cover controls or move the rail at any width', async () => {
  const { server } = await filled()
  const { page } = await visitor({ viewport: { width: 1440, height: 900 } })
  await signIn({ page }, server)
  await page.locator('[data-row]', { hasText: 'Rehearsal' }).first().click()
  await page.locator('textarea').waitFor()
  const before = await page.evaluate(RAIL)
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(await page.evaluate(RAIL)).toEqual(before)
  for (const [width, height] of [
    [1440, 900],
    [1000, 600],
    [390, 844],
    [320, 640],
  ] as [number, number][]) {
    await page.setViewportSize({ width, height })
    const found = await page.evaluate(COVERED)
    expect({ width, found }).toEqual({ width, found: { isWhole: true, covered: [] } })
  }
})

/** Runs in the page. Finds all animated elements. */
const MOVES = `[...document.querySelectorAll('*')].filter((one) => {
  const { transitionDuration, animationName, animationDuration } = getComputedStyle(one)
  const isLong = (times) => times.split(',').some((one) => parseFloat(one) > 0.01)
  return isLong(transitionDuration) || (animationName !== 'none' && isLong(animationDuration))
}).map((one) => one.className)`

test('nothing is cut off at double size, moves with reduced motion, or loses its outline with forced colors', async () => {
  const { server, addresses } = await filled()
  const half = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
  const { page, complaints } = await visitor({ ...half, reducedMotion: 'reduce' })
  await signIn({ page }, server)
  const found: Record<string, unknown> = {}
  for (const [path, sign] of Object.entries(addresses)) {
    await page.goto(server.url + path)
    await page.locator(sign).first().waitFor()
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    const moves = await page.evaluate(MOVES)
    // With forced colors, the open row still has a visible edge.
    await page.emulateMedia({ forcedColors: 'active' })
    const open = page.locator('[data-row][aria-current]').first()
    const isBare = (await open.count()) > 0 && (await open.isVisible()) ? await bare(open) : false
    await page.emulateMedia({ forcedColors: 'none' })
    found[path] = { wide, moves, isBare }
  }
  const none = { wide: 0, moves: [], isBare: false }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, none])))
  expect(complaints).toEqual([])
})

async function bare(open: ReturnType<Visitor['page']['locator']>): Promise<boolean> {
  return open.evaluate((one) => {
    const view = one.ownerDocument.defaultView as unknown as {
      getComputedStyle: (of: unknown) => { outlineStyle: string; borderStyle: string }
    }
    const { outlineStyle, borderStyle } = view.getComputedStyle(one)
    return outlineStyle === 'none' && borderStyle === 'none'
  })
}
