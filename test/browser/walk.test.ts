// A walk through the built program's whole app: no outside requests, few requests before the first row, and few nodes
// in a long list.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { op, servers } from '../server/serving.ts'
import { extentAsked } from '../worlds/extent.ts'
import { until } from '../worlds/world.ts'
import { fillDesk } from './many-rows.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const SCREENS = [
  '/inbox',
  '/approvals',
  '/threads',
  '/channels',
  '/agents',
  '/history',
  '/notifications',
]
const QUIET_SCREENS = ['/trash', '/settings']

/** How many items are opened on each screen. */
const MOST_OPENED = extentAsked() === 'full' ? 8 : 2

test('the demo can be walked through without errors or outside requests', async () => {
  // A test's server is killed at the end, and a killed demo leaves its folder behind.
  const server = await start({ args: ['--demo'], db: [], env: { TMPDIR: folder() } })
  const { page, complaints } = await visitor()
  const elsewhere: string[] = []
  page.on('request', (asked) => {
    const isOurs = asked.url().startsWith(server.url) || /^(data|blob):/.test(asked.url())
    if (!isOurs) elsewhere.push(asked.url())
  })
  await signIn({ page }, server)
  await page.waitForSelector('[data-row]')
  const rows = () =>
    page
      .locator('[data-row]')
      .evaluateAll((all) => all.map((row) => row.getAttribute('data-row') ?? ''))
  const before = new Set(await rows())
  const { body } = await op(server, 'push', { comments: 'A word from the shell' }, { as: 'harbor' })
  await page.waitForSelector(`[data-row="${body.entry_id}"]`)
  expect(before.has(String(body.entry_id))).toBe(false)
  for (const path of SCREENS) {
    await page.goto(server.url + path)
    await page.waitForSelector('[data-row]')
    for (const id of (await rows()).slice(0, MOST_OPENED)) {
      const row = page.locator(`[data-row="${id}"]`).first()
      // The row may be gone by now, since the demo keeps changing.
      if ((await row.count()) === 0) continue
      await row.click()
      await page.locator('main h2').first().waitFor({ state: 'attached' })
    }
  }
  for (const path of QUIET_SCREENS) {
    await page.goto(server.url + path)
    await page.waitForSelector('main')
  }
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

test('the first row needs few requests', async () => {
  const server = await start()
  await op(server, 'push', { comments: 'One' }, { as: 'harbor' })
  const { page, context } = await visitor()
  await signIn({ page }, server)
  await page.waitForSelector('[data-row]')
  const fresh = await context.newPage()
  await fresh.addInitScript(NOTE_FIRST_ROW)
  await fresh.goto(`${server.url}/inbox`)
  await fresh.waitForSelector('[data-row]')
  const asked = (await fresh.evaluate('window.askedBefore')) as string[]
  const files = asked.filter((path) => !path.startsWith('/api/'))
  // These are the styles, the font, the script that sets the theme, and the app in one file.
  expect({ files, isFew: files.length <= 4 }).toEqual({ files, isFew: true })
  // Requests for the person, settings, counts, days and the stream come after the first rows.
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/ops/desk-list'])
})

/** Records what the page had requested when its first row appeared. */
const NOTE_FIRST_ROW = `
new MutationObserver((_, observer) => {
  if (document.querySelector('[data-row]') === null) return
  observer.disconnect()
  window.askedBefore = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
}).observe(document, { childList: true, subtree: true })
`

const MANY = 1200

test('a long list has few nodes at any scroll position', async () => {
  const path = join(folder(), 'store.db')
  await fillDesk(path, { pushes: MANY, days: 1 })
  const server = await start({ db: [path] })
  const { page, complaints } = await visitor({ viewport: { width: 1440, height: 900 } })
  await signIn({ page }, server)
  await page.waitForSelector('[data-row]')
  const list = page.locator('section', { has: page.locator('[data-row]') }).first()
  const scrollTo = (share: number) =>
    page.evaluate(`(() => {
      let at = document.querySelector('[data-row]')
      while (at !== null && at.scrollHeight <= at.clientHeight + 4) at = at.parentElement
      at.scrollTop = at.scrollHeight * ${share}
    })()`)
  for (const share of [0, 0.3, 0.6, 1]) {
    await scrollTo(share)
    await page.waitForSelector('[data-row]')
    expect(await list.locator('*').count()).toBeLessThanOrEqual(500)
  }
  // A long list is counted in parts, so its end can move when it is first scrolled to.
  const last = page.locator('text="Report number 1"')
  await until(async () => {
    await scrollTo(1)
    return last.isVisible()
  }, 'the oldest row')
  expect(await list.locator('*').count()).toBeLessThanOrEqual(500)
  expect(complaints).toEqual([])
})
