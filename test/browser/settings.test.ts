// Settings and the rail in a real browser: a person's settings follow them, and a refused change is reverted.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { PATIENCE_MS } from '../tools/chromium.ts'
import { freePort } from '../tools/postgres.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function settingsOf(server: Running) {
  const { body } = await op(server, 'person-settings', {})
  return body.settings as {
    views: { name: string; screen: string; search: string }[]
    notify: Record<string, unknown>
    mark_read: string
    single_keys: boolean
  }
}

/** Resolves once the server has the change. */
async function whenSet(
  server: Running,
  is: (set: Awaited<ReturnType<typeof settingsOf>>) => boolean,
) {
  await until(async () => is(await settingsOf(server)), 'the server has it', PATIENCE_MS)
}

const go = (page: Page, server: Running, section: string) =>
  page.goto(`${server.url}/settings/${section}`)

test('a setting changed in one browser applies in another at once', async () => {
  const server = await start()
  const [one, two] = [await visitor(), await visitor()]
  await signIn(one, server)
  await signIn(two, server)
  await go(one.page, server, 'general')
  await go(two.page, server, 'general')
  await one.page.getByRole('radio', { name: 'Manually' }).check()
  await whenSet(server, ({ mark_read }) => mark_read === 'by hand')
  await two.page.locator('label:has(input:checked) >> text="Manually"').waitFor()
  expect([...one.complaints, ...two.complaints]).toEqual([])
})

test('turning single-key shortcuts off applies at once and after a reload, except Escape and Ctrl+K', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server)
  await go(page, server, 'keyboard')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await whenSet(server, ({ single_keys }) => !single_keys)
  await page.reload()
  await page.getByRole('switch', { name: 'Single-key shortcuts', checked: false }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search or run' }).waitFor()
  expect(await page.evaluate('location.pathname')).toBe('/settings/keyboard')
  expect(await page.locator('dialog[open]').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await whenSet(server, ({ single_keys }) => single_keys)
  await page.locator('h2').click()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.waitForURL('**/inbox')
})

test('with single-key shortcuts off, no key deletes, and only working keys are shown', async () => {
  const server = await start()
  await op(server, 'person-set', { single_keys: 'off' })
  const { body } = await op(server, 'push', { comments: 'Rates table' }, { as: 'harbor' })
  const { page } = await visitor()
  await signIn({ page }, server)
  const row = page.locator(`[data-row="${body.entry_id}"]`)
  await page.waitForSelector('text="Select a message. The arrow keys move through the list."')
  await page.keyboard.press('ArrowDown')
  await page.waitForSelector('h2 >> text="Rates table"')
  for (const key of ['Delete', 'Backspace', '#']) await page.keyboard.press(key)
  const shown = async () =>
    (await page.locator('kbd').allInnerTexts()).filter((key) => !['Ctrl', 'Esc'].includes(key))
  expect(await shown()).toEqual(['K'])
  await page.click('button[aria-label="Move to trash"]')
  await page.waitForSelector('text="Moved to trash"')
  expect(await shown()).toEqual(['K', 'Z'])
  await page.keyboard.press('Control+z')
  await row.waitFor()
  await page.goto(`${server.url}/settings/keyboard`)
  await page.waitForSelector(
    'text="Each screen has its own keys. Press Ctrl+K to find them there."',
  )
  expect(await shown()).not.toContain('G')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await until(async () => (await shown()).includes('G'), 'all keys are listed again')
})

test('a setting the server refuses is reverted, with an error', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server)
  await go(page, server, 'notifications')
  const sound = page.getByRole('switch', { name: 'Sound' })
  await sound.waitFor()
  await page.route('**/api/ops/person-set', (route) =>
    route.fulfill({
      status: 503,
      json: { ok: false, error: { code: 'busy', message: 'the store is busy' } },
    }),
  )
  await sound.click()
  await page.getByRole('alert').getByText('the store is busy').waitFor()
  await page.getByRole('switch', { name: 'Sound', checked: false }).waitFor()
  expect((await settingsOf(server)).notify.sound).toBe(false)
})

test('a filter can be saved as a view, opened by G and its number, renamed, moved, and deleted', async () => {
  const server = await start()
  await op(server, 'person-set', {
    views: JSON.stringify([{ name: 'Old', screen: 'history', search: 'type=question' }]),
  })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/history?type=status')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('Old')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Another view is called “Old”').waitFor()
  await page.getByLabel('Name').fill('Reports')
  await page.keyboard.press('Enter')
  await whenSet(server, ({ views }) => views.length === 2)
  // The button disappears, because this view is saved.
  await page.getByRole('button', { name: 'Save view' }).waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.waitForURL('**/inbox')
  await page.keyboard.press('g')
  // The page shows that it's waiting for the second key.
  await page.locator('p > span > kbd >> text="G"').waitFor()
  await page.keyboard.press('2')
  await page.waitForURL('**/history?type=status')
  await page.getByRole('link', { name: 'Old' }).click()
  await page.waitForURL('**/history?type=question')
  await go(page, server, 'general')
  await page.getByRole('button', { name: 'Rename Reports' }).click()
  await page.getByLabel('New name for Reports').fill('Reports of all')
  await page.keyboard.press('Enter')
  const up = page.getByRole('button', { name: 'Move Reports of all up' })
  await up.click()
  await whenSet(server, ({ views }) => views[0]?.name === 'Reports of all')
  // The focus stays on the view that was moved.
  expect(await up.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Delete Old' }).click()
  await whenSet(server, ({ views }) => views.length === 1)
  await page.keyboard.press('z')
  await whenSet(server, ({ views }) => views.length === 2)
  expect(complaints).toEqual([])
})

test('copies a command', async () => {
  const server = await start()
  const { page } = await visitor({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn({ page }, server)
  await go(page, server, 'about')
  await page.getByRole('button', { name: /^Copy: .*token issue NAME --db/ }).click()
  await page.waitForSelector('text="Copied"')
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /inbox token issue NAME --db \/\S+$/,
  )
  expect(await page.getByText('Copy buttons').count()).toBe(0)
})

test('over plain HTTP from another machine, About lists what is missing, and the page works without it', async () => {
  const port = await freePort()
  const host = `mailroom.test:${port}`
  const args = ['--auth', 'tokens', '--port', String(port), '--allow-host', host]
  const server = await start({ args })
  const { page } = await visitor()
  await signIn({ page }, { ...server, url: `http://${host}` })
  expect(await page.evaluate('isSecureContext')).toBe(false)
  await page.goto(`http://${host}/settings/about`)
  for (const what of ['Desktop notifications', 'Copy buttons', 'One connection for all tabs']) {
    await page.getByText(what).first().waitFor()
  }
  // The text is selected instead, ready to copy.
  await page.getByRole('button', { name: /^Copy: .*token issue NAME --db/ }).click()
  await page.waitForSelector('text="Press Ctrl+C"')
  expect(await page.evaluate('String(getSelection())')).toMatch(
    /inbox token issue NAME --db \/\S+$/,
  )
  await page.goto(`http://${host}/settings/notifications`)
  await page.getByText('Not available on this page').waitFor()
  await op(server, 'person-set', { sound: 'on' })
  await page.getByRole('switch', { name: 'Sound', checked: true }).waitFor()
})

test('the rail counts from one response, shows 999+, and collapses with Ctrl+\\', async () => {
  const server = await start()
  await ask(server)
  const { page } = await visitor({ viewport: { width: 1440, height: 900 } })
  await page.route('**/api/ops/desk', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), unread: 1000 } })
  })
  await signIn({ page }, server)
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.getByRole('link', { name: 'Inbox 999+ unread' }).waitFor()
  await rail.getByRole('link', { name: 'Approvals 1 waiting for you' }).waitFor()
  const hasWidth = (wanted: number) =>
    until(
      async () => wanted === (await rail.evaluate((one) => one.getBoundingClientRect().width)),
      `a rail of ${wanted} pixels`,
    )
  await hasWidth(208)
  await page.keyboard.press('Control+\\')
  await hasWidth(56)
  await page.reload()
  await rail.getByRole('link', { name: 'Inbox' }).waitFor()
  await hasWidth(56)
  await page.keyboard.press('Control+\\')
  await hasWidth(208)
  await page.setViewportSize({ width: 1000, height: 800 })
  await hasWidth(56)
})

test('on a phone the bar has five places, and More has the other screens and Sign out', async () => {
  const server = await start()
  const { page } = await visitor({ viewport: { width: 390, height: 844 } })
  await signIn({ page }, server)
  const rail = page.getByRole('navigation', { name: 'Main' })
  expect(await rail.getByRole('link').count()).toBe(4)
  const more = rail.getByRole('button', { name: 'More' })
  await more.click()
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.getByRole('link', { name: 'Trash' }).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await more.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  await more.click()
  await sheet.getByRole('link', { name: 'Settings' }).click()
  await page.waitForURL('**/settings')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.waitForURL('**/settings/notifications')
  await page.getByRole('link', { name: 'Back to settings' }).click()
  await more.click()
  await sheet.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForSelector('text=not signed in')
})

test('axe finds nothing in any section, in both themes, on desktop and phone', async () => {
  const server = await start()
  const views = ['W'.repeat(60), 'Right to left שלום'].map((name) => ({
    name,
    screen: 'inbox',
    search: 'view=unread',
  }))
  await op(server, 'person-set', {
    views: JSON.stringify(views),
    quiet_from: '22:00',
    quiet_to: '07:00',
    pause_minutes: 60,
  })
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/settings': 'h1 >> text="Settings"',
    '/settings/general': `text=${'W'.repeat(60)}`,
    '/settings/notifications': 'text="Quiet hours"',
    '/settings/keyboard': 'text="Single-key shortcuts"',
    '/settings/about': 'text="In a shell"',
  })
})
