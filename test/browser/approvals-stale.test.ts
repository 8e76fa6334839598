// People decide only what they have seen, and learn what became of their decision: revisions that arrive while a panel
// is open, lost responses, and decisions undone elsewhere or too late.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { ask, signIn, statusOf } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function at(path: string): Promise<Visitor & { server: Running }> {
  const server = await start()
  const ann = await visitor({ viewport: { width: 1440, height: 900 } })
  await signIn(ann, server, path)
  return { ...ann, server }
}

const CHANGED = { target: 'api', current: { limit: 1 }, proposed: { limit: 9 } }

async function revise(server: Running, request: string, payload: object = CHANGED): Promise<void> {
  await op(server, 'request-revision', { request, revision: 1, notes: 'Less' })
  const next = { request, revision: 1, payload: JSON.stringify(payload) }
  await op(server, 'resubmit', next, { as: 'ledger' })
}

const READY = 'button:not([aria-disabled=true]) >> text="Approve"'
const REVISED = 'text=/^This became v2 while you were reading/'

async function openReady(page: Page, request: string): Promise<void> {
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector(READY)
}

/** Records the decisions that the page sends from now on. */
function sentBy(page: Page): { op: string; revision: number; key: string | undefined }[] {
  const sent: { op: string; revision: number; key: string | undefined }[] = []
  page.on('request', (one) => {
    const [, name] = /ops\/(approve|reject|request-revision)$/.exec(one.url()) ?? []
    if (name === undefined) return
    const { revision } = one.postDataJSON()
    sent.push({ op: name, revision, key: one.headers()['idempotency-key'] })
  })
  return sent
}

test('confirming a high risk does not approve a revision that arrived later', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server, { risk: 'high' })
  await openReady(page, request)
  const sent = sentBy(page)
  await page.keyboard.press('a')
  await page.waitForSelector('fieldset button:not([disabled]) >> text="Approve"')
  await revise(server, request)
  await page.waitForSelector(REVISED)
  await page.waitForSelector('fieldset >> text=/^It changed after you opened this/')
  await page.waitForSelector('fieldset button[disabled] >> text="Approve"')
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'I’ve read it' }).click()
  await page.waitForSelector(REVISED, { state: 'detached' })
  // The button is enabled again after a delay.
  await page.waitForSelector('fieldset button[disabled] >> text="Approve"')
  expect(sent).toEqual([])
  await page.click('fieldset button:not([disabled]) >> text="Approve"')
  await until(async () => (await statusOf(server, request)) === 'approved', 'v2 is approved')
  expect(sent).toMatchObject([{ op: 'approve', revision: 2 }])
})

test('rejecting, approving a low risk, or editing does not decide an unseen revision', async () => {
  const { page, server } = await at('/approvals')
  const sent = sentBy(page)
  const rejected = await ask(server, { title: 'To reject' })
  await openReady(page, rejected)
  await page.keyboard.press('d')
  await page.getByLabel('Why?').fill('Too much')
  await revise(server, rejected)
  await page.waitForSelector(REVISED)
  await page.getByLabel('Why?').press('Enter')
  await page.waitForSelector('form >> text=/^It changed after you opened this/')
  expect(sent).toEqual([])
  // The reason is kept.
  expect(await page.getByLabel('Why?').inputValue()).toBe('Too much')
  await page.getByRole('button', { name: 'I’ve read it' }).click()
  await page.click('form button:not([aria-disabled=true]) >> text="Reject"')
  await until(async () => (await statusOf(server, rejected)) === 'rejected', 'v2 is rejected')
  expect(sent.splice(0)).toMatchObject([{ op: 'reject', revision: 2 }])

  const low = await ask(server, { title: 'Low', risk: 'low', editable: true })
  await openReady(page, low)
  await page.click('text="Edit…"')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Payload to approve').fill(JSON.stringify({ ...CHANGED, target: 'web' }))
  await revise(server, low)
  await dialog.getByText('The agent submitted v2 while you were editing').waitFor()
  await dialog.getByRole('button', { name: 'Approve with changes' }).click({ force: true })
  await page.keyboard.press('Escape')
  await page.waitForSelector(REVISED)
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'I’ve read it' }).click()
  await page.waitForSelector(READY)
  expect(sent).toEqual([])
  await page.keyboard.press('a')
  await until(async () => (await statusOf(server, low)) === 'approved', 'v2 is approved')
  expect(sent).toMatchObject([{ op: 'approve', revision: 2 }])
})

test('answering or requesting a revision requires the new revision to have been seen', async () => {
  const { page, server } = await at('/approvals')
  const sent = sentBy(page)
  const payload = { text: 'Cookie or token?', options: ['cookie', 'token'] }
  const request = await ask(server, { type: 'question', title: 'Which?', payload })
  await page.click(`[data-row="${request}"]`)
  await page.getByRole('radio', { name: 'token' }).check()
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Answer"')
  await revise(server, request, { text: 'Which?', options: ['token', 'header'] })
  await page.waitForSelector(REVISED)
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('button[aria-disabled=true] >> text="Answer"')
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'I’ve read it' }).click()
  await page.click('button:not([aria-disabled=true]) >> text="Answer"')
  await until(async () => (await statusOf(server, request)) === 'approved', 'v2 is answered')
  expect(sent.splice(0)).toMatchObject([{ op: 'approve', revision: 2 }])

  const other = await ask(server, { title: 'Other' })
  await openReady(page, other)
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Under five')
  await revise(server, other)
  await dialog.getByText('This became v2 while you were writing').waitFor()
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'I’ve read it' }).click()
  await dialog.locator('button:not([aria-disabled=true]) >> text="Request revision"').waitFor()
  expect(sent).toEqual([])
  await dialog.getByRole('button', { name: 'Request revision' }).click()
  const isSent = async () => (await statusOf(server, other)) === 'revision_requested'
  await until(isSent, 'v2 is sent back')
  expect(sent).toMatchObject([{ op: 'request-revision', revision: 2 }])
})

test('a lost response is reported, and trying again repeats the same decision', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server)
  await openReady(page, request)
  const sent = sentBy(page)
  // The first attempt never arrives. The second does, but its response is lost.
  await page.route('**/api/ops/approve', (route) => route.abort('connectionreset'))
  await page.keyboard.press('a')
  await page.waitForSelector('text=/^Your decision may not have arrived/')
  expect(await page.getByText('Nothing was decided').count()).toBe(0)
  await page.unroute('**/api/ops/approve')
  await page.route('**/api/ops/approve', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForSelector('text=/^Approved by you, a moment ago/')
  await page.waitForSelector('text=/^Your decision may not/', { state: 'detached' })
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).toBe(sent[0]?.key as string)
  await until(async () => (await statusOf(server, request)) === 'approved', 'it counts')
})

test('Z undoes a decision after a reload, and another tab can undo it too', async () => {
  const { page, context, server } = await at('/settings/general')
  await page.evaluate(`localStorage.setItem('grace', '20')`)
  await page.goto(`${server.url}/approvals`)
  const request = await ask(server)
  await openReady(page, request)
  await page.keyboard.press('a')
  await page.waitForSelector('text=/^Approved by you, a moment ago/')
  await page.reload()
  await page.waitForSelector('section[aria-label="Decision"] >> text="Undo"')
  await page.keyboard.press('z')
  await page.waitForSelector('text="Undone. Nothing was decided."')
  await page.waitForSelector(READY)
  await page.keyboard.press('a')
  const other = await context.newPage()
  await other.goto(`${server.url}/approvals/${request}`)
  await other.click('section[aria-label="Decision"] >> text="Undo"')
  await other.waitForSelector(READY)
  await page.waitForSelector(READY)
  expect(await statusOf(server, request)).toBe('pending')
})

test('a failed undo says so until it succeeds or is too late', async () => {
  const { page, server } = await at('/approvals')
  await page.evaluate(`localStorage.setItem('grace', '10')`)
  const request = await ask(server)
  await openReady(page, request)
  const foot = 'section[aria-label="Decision"]'
  await page.route('**/api/ops/undo-decision', (route) => route.abort('connectionreset'))
  await page.keyboard.press('a')
  await page.waitForSelector(`${foot} >> text="Undo"`)
  await page.keyboard.press('z')
  await page.waitForSelector(`${foot} >> text=/^Couldn’t undo it yet/`)
  await page.unroute('**/api/ops/undo-decision')
  await page.click(`${foot} >> text="Try again"`)
  await page.waitForSelector(READY)
  expect(await statusOf(server, request)).toBe('pending')
  await page.route('**/api/ops/undo-decision', (route) => route.abort('connectionreset'))
  await page.keyboard.press('a')
  await page.waitForSelector(`${foot} >> text="Undo"`)
  await page.keyboard.press('z')
  await page.waitForSelector(`${foot} >> text=/^Couldn’t undo it yet/`)
  await page.waitForSelector(`${foot} >> text=/It was too late to undo this/`)
  await until(async () => (await statusOf(server, request)) === 'approved', 'it counts')
})

test('says who decided first, without mentioning the API', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server)
  await openReady(page, request)
  // The page learns of the other decision only when its own is refused.
  await page.route('**/api/ops/request-get', (route) => route.abort())
  await op(server, 'approve', { request, revision: 1, grace_seconds: 20 })
  await page.route('**/api/ops/approve', async (route) => {
    await page.unroute('**/api/ops/request-get')
    await route.continue()
  })
  await page.keyboard.press('a')
  await page.waitForSelector('text="You approved this in another tab or in a shell"')
  await page.waitForSelector('text=/^Approved by you, a moment ago/')
  expect(await page.textContent('body')).not.toContain('/api/ops')
})

test('Escape returns the focus to the row from every panel and dialog', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server, { risk: 'high', editable: true })
  await openReady(page, request)
  const focused = () => page.evaluate(`document.activeElement.closest('[data-row]')?.dataset.row`)
  for (const key of ['a', 'd', 'v']) {
    await page.keyboard.press(key)
    const inside = `document.activeElement.closest('fieldset, form, dialog') !== null`
    await until(async () => page.evaluate(inside), `the focus is in what ${key} opens`)
    await page.keyboard.press('Escape')
    await until(async () => (await focused()) === request, `the focus is back after ${key}`)
  }
})
