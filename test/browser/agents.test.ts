// Agents in a real browser: their status, messages sent to them, when they are started, and writing to one.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { op, type Running, servers } from '../server/serving.ts'
import { everyLook } from './looking.ts'
import { fillAgents } from './many-rows.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

async function withAgents(server: Running): Promise<void> {
  await op(server, 'agent-register', { agent: 'ledger', role: 'builder', may_write_to_user: true })
  await op(server, 'agent-register', { agent: 'atlas', role: 'reviewer' })
  const status = { to: 'ledger', type: 'status', body: 'Four of nine runs are done.' }
  await op(server, 'mail-send', status, { as: 'atlas' })
  await op(server, 'mail-send', { to: 'atlas', body: 'Use the weights from finance' })
  await op(server, 'agent-policy', { applies_to: 'atlas', requires: ['tool:Bash'] })
}

test('lists agents with their status, and the keyboard opens and messages one', async () => {
  const server = await start()
  await withAgents(server)
  const { page, ...ann } = await visitor()
  await signIn({ page }, server)
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  const atlas = page.locator('[data-row="atlas"]')
  await atlas.getByText('Idle').waitFor()
  await atlas.getByText('Seen just now').waitFor()
  await atlas.getByText('Four of nine runs are done.').waitFor()
  await page.locator('[data-row="ledger"]').getByText('Dormant').waitFor()
  await page.locator('[data-row="ledger"]').getByText('Never seen').waitFor()
  await page.keyboard.press('j')
  await page.waitForURL('**/agents/atlas')
  await page.waitForSelector('h2 >> text="atlas"')
  await page.getByRole('region', { name: 'Policy' }).getByText('tool:Bash').waitFor()
  const sent = page.getByRole('region', { name: 'What you sent' })
  await sent.getByText('Use the weights from finance').waitFor()
  expect(await sent.locator('[aria-current=step]').textContent()).toBe('Queued')
  await page.getByRole('region', { name: 'Waking' }).getByText('Would not start now').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Sample 400, not 100')
  await page.keyboard.press('Enter')
  await sent.getByText('Sample 400, not 100').waitFor()
  const { body } = await op(server, 'mail-peek', {}, { as: 'atlas' })
  expect(JSON.stringify(body)).toContain('Sample 400, not 100')
  await op(server, 'mail-mark-read', { all: true }, { as: 'atlas' })
  // The delivery's state updates while the page is open.
  await sent.locator('[aria-current=step] >> text="Read"').first().waitFor()
  expect(ann.complaints).toEqual([])
})

test('shows what an agent that made a request is waiting for', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server, '/agents')
  await page.waitForSelector('text=Connect')
  const request = await ask(server)
  await page.locator('[data-row="ledger"]').getByText('Waiting on you').waitFor()
  await page.waitForSelector('text="1 waiting on you"')
  await page.click('[data-row="ledger"]')
  await page.click('dd >> text="Raise the limit"')
  await page.waitForURL(`**/approvals/${request}`)
})

test('a failed start appears live in the wake log, with its error output', async () => {
  const server = await start()
  const command = ['/bin/sh', '-c', 'echo no such model >&2; exit 3']
  const waking = {
    wake_command: JSON.stringify(command),
    wake_quiet: '3-4',
    wake_cron: '0 8 * * *',
  }
  await op(server, 'agent-register', { agent: 'atlas', ...waking })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/agents/atlas')
  const settings = page.getByRole('region', { name: 'Waking' })
  await settings.getByText('exit 3').waitFor()
  await settings.getByText('0 8 * * *').waitFor()
  await settings.getByText('3:00 to 4:00').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Sample 400')
  await page.keyboard.press('Enter')
  const log = page.getByRole('region', { name: 'Wake log' })
  await log.getByText('Started for mail, failed').first().waitFor()
  await log.getByText('Error output').first().click()
  await log.getByText('no such model').first().waitFor()
  expect(complaints).toEqual([])
})

test('says so if an agent does not exist or the server fails', async () => {
  const server = await start()
  const { page } = await visitor()
  await signIn({ page }, server, '/agents/nobody')
  await page.waitForSelector('text="This agent doesn’t exist."')
  let isBroken = true
  const broken = { status: 500, json: { error: { code: 'internal', message: 'it broke' } } }
  await page.route('**/api/ops/agent-list', (route) =>
    isBroken ? route.fulfill(broken) : route.fallback(),
  )
  await page.goto(`${server.url}/agents`)
  await page.waitForSelector('text="Couldn’t load the agents: it broke."')
  // The page also retries on its own, so the server is repaired just before the click.
  await page.exposeFunction('repair', () => {
    isBroken = false
  })
  await page.locator('text="Try again"').evaluate(async (button) => {
    await (globalThis as unknown as { repair: () => Promise<void> }).repair()
    ;(button as unknown as { click: () => void }).click()
  })
  await page.waitForSelector('text=Connect')
})

test('shows an agent’s work, with when it was claimed and how long the lease lasts', async () => {
  const server = await start()
  await withAgents(server)
  await op(server, 'send', { to: 'atlas', subject: 'Sample the ledger' })
  await op(server, 'claim', { lease_seconds: 3600 }, { as: 'atlas' })
  const { page } = await visitor()
  await signIn({ page }, server, '/agents/atlas')
  const work = page.getByRole('region', { name: 'Work' })
  await work.getByText(/claimed, held since Today, \d\d:\d\d, (59 min|1 hr) left/).waitFor()
  await page
    .getByText(/Holds a lease/)
    .first()
    .waitFor()
  await work.getByText('Sample the ledger').click()
  await page.waitForURL('**/threads/thr_*')
})

test('with 500 agents, few rows are rendered, and the keyboard finds any of them', async () => {
  const path = join(folder(), 'store.db')
  await fillAgents(path, 500, ['builder', 'critic'])
  const server = await start({ db: [path] })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, '/agents')
  const rows = page.locator('[data-row]')
  await rows.first().waitFor()
  await page.waitForSelector('text="500 dormant"')
  expect(await rows.count()).toBeLessThan(60)
  expect(await page.locator('li[aria-setsize]').first().getAttribute('aria-setsize')).toBe('500')
  for (let presses = 0; presses < 60; presses++) await page.keyboard.press('j')
  await page.waitForURL('**/agents/worker-059')
  await page.locator('[data-row="worker-059"]').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('worker-49')
  await page.waitForURL('**/agents/worker-059?q=worker-49')
  await rows.nth(9).waitFor()
  expect(await rows.count()).toBe(10)
  await page.keyboard.type('x')
  await page.waitForSelector('text="No agents match."')
  await page.keyboard.press('Escape')
  await page.locator('[data-row="worker-000"]').waitFor()
  expect(complaints).toEqual([])
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const server = await start()
  await withAgents(server)
  const command = JSON.stringify(['/bin/sh', '-c', 'echo no such model >&2; exit 3'])
  await op(server, 'agent-register', { agent: 'quill', wake_command: command })
  await op(server, 'mail-send', { to: 'quill', body: 'Write' })
  await ask(server, { title: 'A-word-without-an-end'.repeat(9) })
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/agents': '[data-row="atlas"]',
    '/agents/atlas': 'text="tool:Bash"',
    '/agents/ledger': 'dt >> text="Waiting for"',
    '/agents/quill': 'text=Error output',
    '/agents/nobody': 'text="This agent doesn’t exist."',
  })
})
