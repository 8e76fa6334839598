// Opening screens by keyboard, and addresses with invalid values.
import { expect, test } from 'bun:test'
import { op, servers } from '../server/serving.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

test('G and a key focuses the screen’s heading', async () => {
  const server = await start()
  await ask(server)
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.locator('[data-row]').first().waitFor()
  const goals = { a: 'Approvals', t: 'Threads', h: 'History', n: 'Notifications', i: 'Inbox' }
  for (const [key, title] of Object.entries(goals)) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await page.locator('h1:focus', { hasText: title }).waitFor({ state: 'attached' })
  }
  expect(complaints).toEqual([])
})

test('ignores a search in the address that is not text', async () => {
  const server = await start()
  await ask(server)
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  for (const screen of ['inbox', 'approvals', 'history']) {
    for (const text of ['{"a":1}', '["a"]', 'null']) {
      await page.goto(`${server.url}/${screen}?q=${encodeURIComponent(text)}`)
      // The rows are listed as they would be without a search.
      await page.locator('[data-row]', { hasText: 'Raise the limit' }).first().waitFor()
      expect(await page.content()).not.toContain('[object')
    }
  }
  expect(complaints).toEqual([])
})

test('ignores unknown values in the address', async () => {
  const server = await start()
  await ask(server)
  await op(server, 'send', { to: 'worker', subject: 'Write the login page' })
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  for (const [address, row] of [
    ['/inbox?view=bogus&group=bogus&agent=!!!&q=%20', 'Raise the limit'],
    ['/approvals?tab=bogus&risk=bogus&sort=bogus&rev=bogus&raw=bogus&q=%00', 'Raise the limit'],
    ['/history?type=bogus&dir=bogus&from=bogus&to=9999-12-31&agent=!!!', 'Raise the limit'],
  ]) {
    await page.goto(server.url + address)
    await page
      .locator('[data-row]', { hasText: row as string })
      .first()
      .waitFor()
    expect(await page.getByText('Clear filters').count()).toBe(0)
  }
  await page.goto(`${server.url}/threads?state=bogus&agent=!!!&at=7`)
  await page.getByRole('link', { name: 'Waiting 1' }).click()
  await page.locator('[data-row]', { hasText: 'Write the login page' }).waitFor()
  expect(complaints).toEqual([])
})

test('an unknown address says so and links back', async () => {
  const server = await start()
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/inbox/one/two')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: 'Go to the inbox' }).click()
  await page.waitForURL('**/inbox')
  // An address unknown to the server shows a page too.
  await page.goto(`${server.url}/nonsense`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.getByRole('link', { name: 'Go to the inbox' }).click()
  await page.waitForURL('**/inbox')
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
})

test('an agent’s name is not capitalized at the start of a sentence', async () => {
  const server = await start()
  await op(server, 'push', { comments: 'Done' }, { as: 'xss' })
  const { page } = await visitor()
  await signIn({ page }, server)
  await page.locator('[data-row]', { hasText: 'Done' }).click()
  const reach = page.locator('form[aria-label=Reply] [role=status]')
  await reach.filter({ hasText: 'last seen' }).waitFor()
  expect(await reach.textContent()).toMatch(/^xss was last seen today at \d\d:\d\d; nothing shows/)
})
