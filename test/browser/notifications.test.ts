// Notifications in a real browser: a separate quiet list, the text as it was sent, and a reply to the sender.
import { expect, test } from 'bun:test'
import { op, type Running, servers } from '../server/serving.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function notified(server: Running, message: string): Promise<string> {
  const { body } = await op(server, 'notify', { message }, { as: 'ledger' })
  return String(body.entry_id)
}

test('a notification counts only in the rail, shows its text as sent, and can be replied to', async () => {
  const server = await start()
  const entry = await notified(server, 'Nightly run is over\n\n**Four** of 9 failed.')
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  const link = page.getByRole('link', { name: 'Notifications' })
  await link.getByText('1').waitFor()
  await page.waitForSelector('text="Nothing here yet"')
  expect(await page.title()).toBe('Inbox – Mailroom')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.waitForSelector(`[data-row="${entry}"]`)
  await page.keyboard.press('j')
  await page.waitForURL(`**/notifications/${entry}`)
  await page.waitForSelector('text="**Four** of 9 failed."')
  // Showing it for a moment marks it as read.
  await link.getByText('1').waitFor({ state: 'detached' })
  await page.keyboard.press('r')
  await page.keyboard.type('Run it again')
  await page.keyboard.press('Enter')
  await page.waitForSelector('ol >> text="Run it again"')
  const { body } = await op(server, 'mail-peek', {}, { as: 'ledger' })
  expect(JSON.stringify(body)).toContain('Run it again')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await page.waitForSelector('text="Moved to trash"')
  await page.waitForURL('**/notifications')
  await page.waitForSelector('text="No notifications yet."')
  expect(complaints).toEqual([])
})

test('Shift+M marks all as read, and Z undoes it', async () => {
  const server = await start()
  for (const text of ['One', 'Two', 'Three']) await notified(server, text)
  const unread = async () =>
    (await op(server, 'desk-list', { notifications: true })).body.unread as number
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/notifications')
  await page.waitForSelector('button >> text="Mark all 3 as read"')
  await page.keyboard.press('Shift+M')
  await page.waitForSelector('text="Marked 3 as read"')
  await page.waitForSelector('text="Mark all 3 as read"', { state: 'detached' })
  expect(await unread()).toBe(0)
  await page.keyboard.press('z')
  await page.waitForSelector('button >> text="Mark all 3 as read"')
  expect(await unread()).toBe(3)
  expect(complaints).toEqual([])
})

test('marking as unread survives a late response from before', async () => {
  const server = await start()
  const entry = await notified(server, 'Nightly run is over')
  const { page } = await visitor()
  await signIn({ page }, server, `/notifications/${entry}`)
  const markedRead = page.getByRole('button', { name: 'Mark as unread' })
  await markedRead.waitFor()
  const [asked, marking] = [Promise.withResolvers<() => Promise<void>>(), Promise.withResolvers()]
  await page.route('**/api/ops/push-show', async (route) => {
    const response = await route.fetch()
    asked.resolve(() => route.fulfill({ response }).catch(() => {}))
  })
  await page.route('**/api/ops/push-unread', () => void marking.resolve())
  await op(server, 'push-reply', { entry, comments: 'Run it again' })
  const answer = await asked.promise
  await page.keyboard.press('u')
  await marking.promise
  await answer()
  // One frame after this response, whatever arrived earlier has been rendered.
  const frame = 'new Promise(requestAnimationFrame)'
  await page.evaluate(`fetch('/api/me').then(() => ${frame}).then(() => ${frame})`)
  expect(await markedRead.count()).toBe(0)
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const server = await start()
  const entry = await notified(server, `${'A-word-without-an-end'.repeat(9)}\n\nAnd more.`)
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/notifications': `[data-row="${entry}"]`,
    [`/notifications/${entry}`]: 'text="And more."',
    '/notifications/none': 'text=This message doesn’t exist',
  })
})
