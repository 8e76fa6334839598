// A person answers agents' questions by keyboard, and a draft is kept until its answer is accepted.
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

const question = (server: Running, title: string, payload: object) =>
  ask(server, { type: 'question', title, payload })

const open = (page: Page, request: string) => page.click(`[data-row="${request}"]`)
const READY = 'button:not([aria-disabled=true]) >> text="Answer"'
const drafts = (page: Page) =>
  page.evaluate("Object.keys(localStorage).filter((one) => one.startsWith('draft:')).sort()")

test('answers a question with the number of an option and Ctrl+Enter', async () => {
  const { page, server } = await at('/approvals')
  const payload = { text: 'Cookie or token?', options: ['cookie', 'token'] }
  const request = await ask(server, { type: 'question', title: 'Which?', payload })
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector('label >> text="cookie"')
  await page.keyboard.press('2')
  await until(async () => page.getByRole('radio', { name: 'token' }).isChecked(), 'it is selected')
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Answer"')
  await page.keyboard.press('Control+Enter')
  await until(async () => (await statusOf(server, request)) === 'approved', 'it is answered')
  const { body } = await op(server, 'request-get', { request })
  expect((body.decision as { answer: string }).answer).toBe('token')
})

test('opening Decline keeps a half-written answer, and Ctrl+Enter then declines', async () => {
  const { page, server } = await at('/approvals')
  const request = await question(server, 'Budget?', { text: 'What is the budget?' })
  await open(page, request)
  const answer = page.getByRole('textbox', { name: 'Your answer' })
  await answer.fill('Forty, but')
  const decline = page.locator('button:not([aria-disabled=true])', { hasText: 'Decline' })
  await decline.click()
  await answer.waitFor({ state: 'hidden' })
  const reason = page.getByLabel('Why?')
  await reason.fill('Not mine')
  await page.keyboard.press('Escape')
  await answer.waitFor()
  expect(await answer.inputValue()).toBe('Forty, but')
  await decline.click()
  expect(await reason.inputValue()).toBe('Not mine')
  await page.waitForSelector('form >> text="Decline"')
  await page.keyboard.press('Control+Enter')
  await until(async () => (await statusOf(server, request)) !== 'pending', 'it is decided')
  expect(await statusOf(server, request)).toBe('rejected')
})

test('R focuses the answer, and drafts are kept until the answer is accepted', async () => {
  const { page, server, complaints } = await at('/inbox')
  const free = await question(server, 'Budget?', { text: 'What is the budget?' })
  const either = await question(server, 'Which?', { text: 'Which?', options: ['cookie', 'token'] })
  const properties = {
    name: { type: 'string' },
    size: { type: 'string', enum: ['small', 'large'] },
    often: { type: 'integer', default: 3 },
    loud: { type: 'boolean' },
  }
  const schema = { type: 'object', properties }
  const form = await question(server, 'Form', { text: 'Fill it in', schema })
  // Writes drafts in both the inbox and Approvals.
  await open(page, free)
  const answer = page.getByRole('textbox', { name: 'Your answer' })
  await answer.waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Forty')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Answer', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${server.url}/approvals/${either}`)
  await page.getByRole('radio', { name: 'token' }).check()
  await open(page, form)
  await page.getByLabel('size').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Ada')
  await page.getByLabel('size').selectOption('large')
  await page.getByLabel('loud').check()
  await open(page, free)
  await answer.waitFor()
  expect(await answer.inputValue()).toBe('Forty')
  await page.reload()
  await answer.waitFor()
  expect(await answer.inputValue()).toBe('Forty')
  await open(page, either)
  await page.waitForSelector('label >> text="cookie"')
  expect(await page.getByRole('radio', { name: 'token' }).isChecked()).toBe(true)
  await open(page, form)
  await page.getByLabel('size').waitFor()
  expect(await page.getByLabel('name').inputValue()).toBe('Ada')
  expect(await page.getByLabel('size').inputValue()).toBe('large')
  expect(await page.getByLabel('often').inputValue()).toBe('3')
  expect(await page.getByLabel('loud').isChecked()).toBe(true)
  // Undoing brings back the draft. Once the answer counts, the draft is gone.
  await page.waitForSelector(READY)
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('text="Answered “Form”"')
  expect(await drafts(page)).toEqual([`draft:approve:${free}`, `draft:approve:${either}`])
  await page.keyboard.press('z')
  await page.waitForSelector('text="Undone. Nothing was decided."')
  await open(page, form)
  await page.waitForSelector(READY)
  expect(await page.getByLabel('name').inputValue()).toBe('Ada')
  await page.keyboard.press('Control+Enter')
  await until(async () => (await statusOf(server, form)) === 'approved', 'it is answered')
  const { body } = await op(server, 'request-get', { request: form })
  expect((body.decision as { values: object }).values).toEqual({
    name: 'Ada',
    size: 'large',
    often: 3,
    loud: true,
  })
  expect(await drafts(page)).toEqual([`draft:approve:${free}`, `draft:approve:${either}`])
  expect(complaints).toEqual([])
})

test('notes that were sent are no longer a draft after a later decision is undone', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server, { title: 'Change it' })
  await open(page, request)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Reject"')
  await page.keyboard.press('v')
  await page.getByRole('dialog').getByRole('textbox').fill('Not before Monday')
  await page.keyboard.press('Control+Enter')
  const isSent = async () => (await statusOf(server, request)) === 'revision_requested'
  await until(isSent, 'the revision is asked for')
  const payload = JSON.stringify({ target: 'api', current: {}, proposed: { limit: 3 } })
  const { body } = await op(server, 'resubmit', { request, revision: 1, payload }, { as: 'ledger' })
  expect(body).toMatchObject({ ok: true })
  await page.click('text="I’ve read it"')
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  await page.keyboard.press('a')
  await page.waitForSelector('text="Undo"')
  await page.keyboard.press('z')
  await page.waitForSelector('text="Undone. Nothing was decided."')
  expect(await statusOf(server, request)).toBe('pending')
  expect(await drafts(page)).toEqual([])
})
