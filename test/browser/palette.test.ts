// The palette in a real browser: a few letters are enough to find or run anything in it.
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { source } from 'axe-core'
import { op, servers } from '../server/serving.ts'
import { fillAgents } from './many-rows.ts'
import { ask, signIn } from './signed-in.ts'
import { otherTab, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

/** Presses the palette's key twice within one frame, and waits for two more. */
const TWICE = `(async () => {
  const key = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }
  for (const _ of [1, 2]) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key))
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
})()`

test('finds a screen, an agent, and a command by a few letters, and Enter runs it', async () => {
  const server = await start()
  await op(server, 'agent-register', { agent: 'harbor', role: 'builder' })
  const request = await ask(server)
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or run' })
  await palette.getByRole('option', { name: 'Inbox', exact: true }).waitFor()
  await page.keyboard.type('appr')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/approvals')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('hrb')
  await palette.getByRole('option', { name: 'harbor' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/agents/harbor')
  // An agent's commands are available once its page has loaded.
  await page.locator('textarea').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('message har')
  await palette.getByRole('option', { name: 'Message harbor' }).waitFor()
  await page.keyboard.press('Enter')
  // The command has moved the focus to the text field.
  await page.locator('textarea:focus').waitFor()
  await page.goto(`${server.url}/inbox`)
  await page.waitForSelector('h1')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('raise')
  await palette.getByRole('group', { name: 'Needs you' }).getByText('ledger').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/approvals/${request}`)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('reject')
  await palette.getByRole('group', { name: 'Here' }).getByText('Reject').waitFor()
  expect(complaints).toEqual([])
})

test('arrow keys select, Escape closes and restores focus, and page shortcuts are off', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server)
  const find = page.getByRole('button', { name: 'Search or run' })
  await find.focus()
  await page.keyboard.press('Enter')
  const chosen = page.locator('[role=option][aria-selected=true]')
  await chosen.waitFor()
  const first = await chosen.textContent()
  await page.keyboard.press('ArrowDown')
  expect(await chosen.textContent()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await chosen.textContent()).toBe(first)
  await page.keyboard.type('gx')
  await page.waitForSelector('text="Search history for “gx”"')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  expect(await find.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  expect(await page.evaluate('location.pathname')).toBe('/inbox')
  // The palette still works after being closed and reopened within a frame, though its close event fires late.
  const palette = page.getByRole('dialog', { name: 'Search or run' })
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').waitFor()
  await page.evaluate(TWICE)
  await palette.getByRole('combobox').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  // The keys work again, and the palette doesn't open over another dialog.
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Control+k')
  expect(await page.locator('dialog[open]').count()).toBe(1)
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
})

test('finds documents, views, recent pushes, and history, and Ctrl+Enter opens a new tab', async () => {
  const server = await start()
  await op(server, 'agent-register', { agent: 'harbor' })
  const project = folder()
  await writeFile(join(project, 'rollback.md'), '# Rollback')
  const { body: made } = await op(server, 'workspace-add', { path: project, label: 'billing' })
  const { workspace_id: workspace } = made.workspace as { workspace_id: string }
  const from = { workspace, comments: 'Rehearsal passes', docs: ['rollback.md'] }
  const { body: push } = await op(server, 'push', from)
  const { body: mail } = await op(server, 'mail-send', { to: 'harbor', subject: 'Zebra crossing' })
  const views = JSON.stringify([
    { name: 'Only questions', screen: 'history', search: 'type=question' },
  ])
  await op(server, 'person-set', { views })
  const { page, context, complaints } = await visitor()
  await signIn({ page }, server)
  const palette = page.getByRole('dialog', { name: 'Search or run' })
  const search = async (text: string) => {
    await palette.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type(text)
  }
  await search('rollb')
  await palette.getByRole('group', { name: 'Documents' }).getByText('billing').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/inbox/${push.entry_id}`)
  await page.waitForSelector('h2 >> text="Rehearsal passes"')
  await search('only q')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/history?type=question')
  // The push opened earlier is among the recent ones.
  await search('rehearsal')
  await palette.getByRole('group', { name: 'Recent' }).getByText('Rehearsal passes').waitFor()
  await page.keyboard.press('Escape')
  // The server's results come after those the page already has.
  await search('zebra')
  const found = palette.getByRole('group', { name: 'In history' })
  await found.getByText('Zebra crossing').waitFor()
  expect(await palette.getByRole('group').last().getAttribute('aria-label')).toBe('In history')
  const { id } = mail.message as { id: string }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  await otherTab(context, `/history/${id}?q=zebra`)
  // The palette stays open, ready for the next choice.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/history?q=zebra')
  expect(complaints).toEqual([])
})

test('with 500 agents the list stays short', async () => {
  const path = join(folder(), 'store.db')
  await fillAgents(path, 500, ['builder'])
  const server = await start({ db: [path] })
  const { page } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'worker-000' }).waitFor()
  expect(await page.getByRole('option').count()).toBeLessThan(60)
  await page.keyboard.type('worker-499')
  await page.getByRole('option', { name: 'worker-499' }).first().waitFor()
  expect(await page.getByRole('option').count()).toBeLessThan(60)
})

test('on a phone More opens the palette, it opens other screens, and axe finds nothing', async () => {
  const server = await start()
  await op(server, 'agent-register', { agent: 'harbor' })
  const { page } = await visitor({ bypassCSP: true, reducedMotion: 'reduce' })
  await signIn({ page }, server)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size)
    const isPhone = size.width === 320
    if (isPhone) await page.getByRole('navigation').getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Search or run' }).click()
    await page.getByRole('option', { name: 'harbor' }).waitFor()
    await page.evaluate(source)
    for (const query of ['', 'ti', 'zzz']) {
      await page.getByRole('combobox').fill(query)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = (await page.evaluate('axe.run()')) as {
          violations: { id: string; nodes: { html: string }[] }[]
        }
        const ids = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
        expect({ query, colorScheme, ids }).toEqual({ query, colorScheme, ids: [] })
      }
    }
    await page.getByRole('combobox').fill('histo')
    await page.getByRole('option', { name: 'History', exact: true }).click()
    await page.waitForURL('**/history')
    await page.goto(`${server.url}/inbox`)
  }
})
