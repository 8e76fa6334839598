// The trash in a real browser: restoring with undo, and deleting forever after a confirmation.
import { expect, test } from 'bun:test'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function trashed(server: Running, comments: string): Promise<string> {
  const { body } = await op(server, 'push', { comments }, { as: 'harbor' })
  const id = String(body.entry_id)
  await op(server, 'push-trash', { entries: [id] })
  return id
}

async function trashHolds(server: Running): Promise<unknown[]> {
  const { body } = await op(server, 'push-history', { trashed: true })
  return (body.entries as { entry_id: string }[]).map(({ entry_id }) => entry_id)
}

test('by keyboard: restores one, undoes that, and deletes one forever', async () => {
  const server = await start()
  const first = await trashed(server, 'Rates table')
  const second = await trashed(server, 'Old plan')
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.waitForSelector(`[data-row="${second}"]`)
  await page.keyboard.press('j')
  await page.waitForURL(`**/trash/${second}`)
  await page.waitForSelector('h2 >> text="Old plan"')
  await page.keyboard.press('z')
  await page.waitForSelector('text="Back in the inbox"')
  // The next one is open, and the restore can be undone.
  await page.waitForURL(`**/trash/${first}`)
  expect(await trashHolds(server)).toEqual([first])
  await page.keyboard.press('z')
  await page.waitForSelector(`[data-row="${second}"]`)
  // The page shows the row before the server has responded.
  await until(async () => (await trashHolds(server)).length === 2, 'that both are in the trash')
  expect(await trashHolds(server)).toEqual([second, first])
  await page.waitForSelector('h2 >> text="Rates table"')
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete “Rates table” forever?' })
  await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  // Cancel has the focus, so Tab moves to the delete button.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text="Deleted forever"')
  expect(await trashHolds(server)).toEqual([second])
  await page.waitForURL(`**/trash/${second}`)
  expect(complaints).toEqual([])
})

test('Empty says how many it deletes, and deletes only those', async () => {
  const server = await start()
  for (const text of ['One', 'Two', 'Three']) await trashed(server, text)
  const { page } = await visitor()
  await signIn({ page }, server, '/trash')
  await page.locator('[data-row]').nth(2).waitFor()
  // The server deletes old messages automatically, and the screen says so.
  const hint = page.getByText('Messages are deleted forever after 30 days in the trash')
  expect(await hint.textContent()).toContain(
    'The server does this daily; while no server is running, only',
  )
  await page.click('text="Empty…"')
  const dialog = page.getByRole('dialog', { name: 'Delete 3 messages forever?' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await trashHolds(server)).toHaveLength(3)
  await page.click('text="Empty…"')
  await dialog.waitFor()
  // A push trashed after the dialog opened stays.
  const late = await trashed(server, 'Late')
  await dialog.getByRole('button', { name: 'Delete 3 messages' }).click()
  await page.waitForSelector('text="Deleted 3 messages forever"')
  expect(await trashHolds(server)).toEqual([late])
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const server = await start()
  const id = await trashed(server, `${'A-word-without-an-end'.repeat(9)}\n\nAnd more.`)
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/trash': `[data-row="${id}"]`,
    [`/trash/${id}`]: 'text="And more."',
    '/trash/none': 'text=This message doesn’t exist',
  })
})
