// More than a plain decision: resubmitting, editing, approving several at once, requests that others revise or decide
// first, effects, and linked threads.
import { expect, test } from 'bun:test'
import type { KnownType } from '../../src/core/requests/request-types.ts'
import { byPort, op, type Running, servers, tokenFor } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { ask, signIn, statusOf } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

async function at(path: string): Promise<Visitor & { server: Running }> {
  const server = await start()
  const ann = await visitor({ viewport: { width: 1440, height: 900 } })
  await signIn(ann, server, path)
  return { ...ann, server }
}

const CHANGED = { target: 'api', current: { limit: 1 }, proposed: { limit: 9 } }

async function revise(server: Running, request: string): Promise<void> {
  await op(server, 'request-revision', { request, revision: 1, notes: 'Less' })
  const payload = JSON.stringify(CHANGED)
  await op(server, 'resubmit', { request, revision: 1, payload }, { as: 'ledger' })
}

const READY = 'button:not([aria-disabled=true]) >> text="Approve"'

test('a person can resubmit for the agent, and sees the changes while writing', async () => {
  const { page, server, complaints } = await at('/approvals')
  const request = await ask(server)
  await op(server, 'request-revision', { request, revision: 1, notes: 'Less' })
  await page.goto(`${server.url}/approvals/${request}`)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Submit again…"')
  await page.keyboard.press('Shift+R')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No changes yet').waitFor()
  const payload = dialog.getByLabel('Payload')
  await payload.fill('{"target": "api"')
  await dialog.getByText('This isn’t JSON').waitFor()
  await payload.fill('{"target": "api"}')
  await dialog.getByText('payload.current is missing').waitFor()
  // An invalid payload can't be sent.
  await dialog.getByRole('button', { name: 'Submit again' }).click({ force: true })
  await payload.fill(JSON.stringify(CHANGED))
  await dialog.getByText('Changed since v1').waitFor()
  await dialog.locator('ins >> text="+ 9"').waitFor()
  await page.keyboard.press('Escape')
  // The draft is kept when the dialog closes.
  await page.keyboard.press('Shift+R')
  expect(JSON.parse(await payload.inputValue())).toEqual(CHANGED)
  await dialog.getByRole('button', { name: 'Submit again' }).click()
  await page.waitForSelector('text="Submitted v2 for ledger"')
  const { body } = await op(server, 'request-get', { request })
  expect(body.request).toMatchObject({ status: 'pending', revision: 2 })
  expect((body.revisions as { by: string }[])[1]?.by).toBe('user')
  await page.waitForSelector('h3 >> text="Since v1"')
  expect(complaints).toEqual([])
})

/** A value on one line is 22 px high, on two lines 44. */
const ONE_LINE = 30

test('a short value next to a long one does not wrap, in a request, between revisions, or in a dialog', async () => {
  const { page, server } = await at('/approvals')
  const long = 'The quick brown fox jumps over the lazy dog and then some more'
  const proposed = { nested: { b: 1 }, note: long, on: false, also: long }
  const current = { nested: null, on: true, also: null }
  const request = await ask(server, { payload: { target: 'api', current, proposed } })
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector(READY)
  const cells = page.locator('del:has-text("null"), del:has-text("true"), span:text-is("Not set")')
  const broken = async () => {
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()))
    return boxes.filter((box) => box !== null && box.height > ONE_LINE).length
  }
  expect(await cells.count()).toBe(4)
  expect(await broken()).toBe(0)
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await op(server, 'request-revision', { request, revision: 1, notes: 'Less' })
  const payload = JSON.stringify({ target: 'api', current: { on: null, more: long }, proposed })
  await op(server, 'resubmit', { request, revision: 1, payload }, { as: 'ledger' })
  await dialog.getByText('Removed', { exact: true }).first().waitFor()
  expect(await broken()).toBe(0)
})

test('an editable request can be approved with changes, and shows that afterward', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server, { editable: true })
  await page.click(`[data-row="${request}"]`)
  await page.click('button:not([aria-disabled=true]) >> text="Edit…"')
  const dialog = page.getByRole('dialog')
  const proposed = {
    target: 'api',
    current: { limit: 1, on: true },
    proposed: { limit: 5, on: true },
  }
  await dialog.getByLabel('Payload to approve').fill(JSON.stringify(proposed))
  await dialog.locator('del >> text="− 2"').waitFor()
  // The edited payload is a draft: closing the dialog keeps it.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.click('button:not([aria-disabled=true]) >> text="Edit…"')
  await dialog.locator('del >> text="− 2"').waitFor()
  await dialog.getByRole('button', { name: 'Approve with changes' }).click()
  await until(async () => (await statusOf(server, request)) === 'approved', 'it counts')
  await page.waitForSelector('h3 >> text="Approved with changes"')
  const { body } = await op(server, 'request-get', { request })
  expect((body.decision as { payload: object }).payload).toEqual(proposed)
  // A request that isn't editable has no Edit button.
  const other = await ask(server, { title: 'As it is' })
  await page.click(`[data-row="${other}"]`)
  await page.waitForSelector(READY)
  expect(await page.getByText('Edit…').count()).toBe(0)
})

test('several low-risk requests of one type can be approved together by keyboard', async () => {
  const { page, server } = await at('/approvals')
  const low: string[] = []
  for (const title of ['First', 'Second', 'Third'])
    low.push(await ask(server, { title, risk: 'low' }))
  const high = await ask(server, { title: 'Dangerous', risk: 'high' })
  await page.waitForSelector(`[data-row="${high}"]`)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.waitForSelector('text="1 of up to 20 selected"')
  await page.keyboard.press('Shift+J')
  await page.waitForSelector('text="2 of up to 20 selected"')
  await page.waitForSelector('h2 >> text="Second"')
  const box = page.getByLabel('Select Dangerous')
  expect(await box.isDisabled()).toBe(true)
  await page.getByLabel('Select Third').check()
  await page.getByRole('button', { name: 'Approve 3…' }).click()
  const dialog = page.getByRole('dialog')
  for (const title of ['First', 'Second', 'Third']) await dialog.getByText(title).waitFor()
  // Canceling the dialog leaves the requests undecided.
  await page.keyboard.press('Escape')
  expect(await statusOf(server, low[0] as string)).toBe('pending')
  await page.getByRole('button', { name: 'Approve 3…' }).click()
  await dialog.getByRole('button', { name: 'Approve 3' }).click()
  // All are held, and one toast undoes them together.
  await page.waitForSelector('text="Approved 3"')
  for (const request of low) expect(await statusOf(server, request)).toBe('pending')
  await page.keyboard.press('z')
  await page.waitForSelector('text="Undone. Nothing was decided."')
  for (const request of low) {
    const { body } = await op(server, 'request-get', { request })
    expect(body.request).toMatchObject({ status: 'pending', held_until: null })
    // The page may not have heard of the undo yet, and only a pending row can be selected.
    await page.waitForSelector(`[data-row="${request}"][data-sign=needs]`)
  }
  await page.keyboard.press('x')
  for (const title of ['First', 'Second', 'Third']) await page.getByLabel(`Select ${title}`).check()
  await page.getByRole('button', { name: 'Approve 3…' }).click()
  await dialog.getByText('First').waitFor()
  await page.keyboard.press('Control+Enter')
  for (const request of low) {
    await until(async () => (await statusOf(server, request)) === 'approved', 'it counts')
  }
  expect(await statusOf(server, high)).toBe('pending')
})

test('shows a revision that arrives while the person writes, without sending anything', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector(READY)
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Keep it under five')
  await revise(server, request)
  await dialog.getByText('This became v2 while you were writing').waitFor()
  await dialog.locator('ins >> text="+ 9"').waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Keep it under five')
  expect(await statusOf(server, request)).toBe('pending')
  await dialog.getByRole('button', { name: 'Read v2 first' }).click()
  await page.waitForSelector('text=/^This became v2 while you were reading/')
  await page.getByRole('button', { name: 'I’ve read it' }).click()
  await page.waitForSelector('text=/^This became v2 while/', { state: 'detached' })
  await page.waitForSelector(READY)
  await page.keyboard.press('v')
  await page.keyboard.press('Control+Enter')
  const isSent = async () => (await statusOf(server, request)) === 'revision_requested'
  await until(isSent, 'v2 is sent back')
})

test('if someone else decides while the person writes, the notes can be sent as a comment', async () => {
  const { page, server } = await at('/approvals')
  const gate = { token: await tokenFor(server, { name: 'gate', service: true, may: ['decide'] }) }
  const request = await ask(server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector(READY)
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Mind the night')
  await byPort(server, '/api/ops/approve', { request, revision: 1 }, gate)
  await dialog.getByText('gate decided this while you were writing').waitFor()
  await dialog.getByRole('button', { name: 'Send as comment' }).click()
  await page.waitForSelector('text="Sent to ledger as a comment"')
  await page.waitForSelector('text=/^Approved by gate \\d+ sec ago\\.$/')
  expect(await statusOf(server, request)).toBe('approved')
  const { body } = await op(server, 'mail-peek', {}, { as: 'ledger' })
  expect(JSON.stringify(body)).toContain('Mind the night')
})

/** Presses A as soon as the second request appears, and records the state of its button. */
const TOO_SOON = `new MutationObserver((_, watcher) => {
  const one = (which, text) =>
    [...document.querySelectorAll(which)].find(({ textContent }) => textContent.includes(text))
  const button = one('main h2', 'Second') && one('main button', 'Approve')
  if (button == null) return
  watcher.disconnect()
  window.wasCold = button.getAttribute('aria-disabled')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
}).observe(document, { childList: true, subtree: true, characterData: true })`

test('the next request opens after a decision, with its buttons disabled at first', async () => {
  const { page, server } = await at('/approvals')
  const first = await ask(server, { title: 'First' })
  const second = await ask(server, { title: 'Second' })
  await page.waitForSelector(`[data-row="${second}"]`)
  await page.keyboard.press('j')
  await page.waitForSelector(READY)
  await page.evaluate(TOO_SOON)
  await page.keyboard.press('a')
  await page.waitForSelector('h2 >> text="Second"')
  // A key pressed too early has no effect.
  await page.waitForSelector(READY)
  expect(await page.evaluate('window.wasCold')).toBe('true')
  await until(async () => (await statusOf(server, first)) === 'approved', 'the first counts')
  expect(await statusOf(server, second)).toBe('pending')
})

test('filters by risk, type, and text, sorts by date, and keeps all of it in the address', async () => {
  const { page, server } = await at('/approvals')
  const rows = () =>
    page.$$eval('[data-row]', (found) => found.map((one) => one.getAttribute('data-row')))
  const later = await ask(server, { title: 'Later', risk: 'low', expires_seconds: 9000 })
  const never = await ask(server, { title: 'Never', risk: 'high' })
  const soon = await ask(server, { title: 'Soon', risk: 'low', expires_seconds: 600 })
  const chore = await ask(server, { title: 'Chore', type: 'chore', payload: {} })
  await until(async () => (await rows()).length === 4, 'all rows')
  expect(await rows()).toEqual([soon, later, never, chore])
  await page.waitForSelector(`[data-row="${soon}"] >> text=/^(9|10) min$/`)
  await page.getByRole('button', { name: 'Risk and sort order' }).click()
  await page.getByLabel('Order', { exact: true }).selectOption('new')
  await until(async () => (await rows())[0] === chore, 'the newest first')
  await page.getByLabel('Risk', { exact: true }).selectOption('low')
  await until(async () => (await rows()).length === 2, 'only low risk')
  expect(new URL(page.url()).search).toBe('?sort=new&risk=low')
  await page.getByRole('link', { name: 'Pending 2' }).waitFor()
  // A search keeps the order, and both tabs count its results.
  await page.goto(`${server.url}/approvals?q=e`)
  await until(async () => String(await rows()) === `${[later, never, chore]}`, 'found, in order')
  await page.getByRole('link', { name: 'Pending 3' }).waitFor()
  await page.getByRole('link', { name: 'Resolved 0' }).waitFor()
  await page.goto(`${server.url}/approvals?type=chore`)
  await until(async () => String(await rows()) === chore, 'only chores')
  const types = await page.getByLabel('Type').locator('option').allTextContents()
  expect(types.toSorted()).toEqual(['All types', 'Chore (1)', 'Config change (3)'])
})

test('compares any two revisions, with secrets masked', async () => {
  const { page, server } = await at('/approvals')
  const config = (limit: number, password: string) => ({
    target: 'api',
    current: { limit: 1, api_key: 'old-key' },
    proposed: { limit, api_key: password },
  })
  const request = await ask(server, { payload: config(2, 'hunter2') })
  for (const [revision, limit] of [
    [1, 3],
    [2, 4],
  ] as const) {
    await op(server, 'request-revision', { request, revision, notes: 'Again' })
    const payload = JSON.stringify(config(limit, `hunter${limit}`))
    await op(server, 'resubmit', { request, revision, payload }, { as: 'ledger' })
  }
  await page.goto(`${server.url}/approvals/${request}`)
  await page.waitForSelector('h3 >> text="Since v2"')
  await page.getByLabel('Compare from').selectOption('1')
  await page.waitForSelector('h3 >> text="Since v1"')
  expect(new URL(page.url()).searchParams.get('rev')).toBe('1-3')
  await page.waitForSelector('text="•••••• changed"')
  expect(await page.textContent('article')).not.toContain('hunter')
  await page.keyboard.press('b')
  await page.waitForSelector('pre')
  expect(await page.textContent('pre')).toContain('hunter4')
})

test('opens a linked thread next to the request, and Escape closes it', async () => {
  const { page, server } = await at('/approvals')
  const added = await op(server, 'workspace-add', { path: folder(), label: 'Shop' })
  const { workspace_id: workspace } = added.body.workspace as { workspace_id: string }
  const request = await ask(server, { workspace })
  const { body } = await op(server, 'send', { from: 'user', to: 'ledger', subject: 'Budget rules' })
  const { thread_id: thread } = body.thread as { thread_id: string }
  await op(server, 'request-link', { request, thread })
  await page.goto(`${server.url}/approvals/${request}`)
  await page.waitForSelector('dd >> text="Shop"')
  await page.click('a >> text="Budget rules"')
  await page.getByRole('dialog').getByRole('heading', { name: 'Budget rules' }).waitFor()
  expect(new URL(page.url()).searchParams.get('thread')).toBe(thread)
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.waitForURL((url) => url.searchParams.get('thread') === null)
  await page.waitForSelector('h2 >> text="Raise the limit"')
})

test('shows an approval’s effect and warrant', async () => {
  const { page, server } = await at('/approvals')
  await op(server, 'request-effect', {
    type: 'deploy',
    command: JSON.stringify(['/bin/sh', '-c', 'echo no such host >&2; exit 3']),
  })
  const request = await ask(server, { type: 'deploy', title: 'Deploy', payload: { to: 'eu' } })
  await op(server, 'approve', { request, revision: 1 })
  await page.goto(`${server.url}/approvals/${request}?tab=resolved`)
  await page.waitForSelector('text="Effect"')
  await page.waitForSelector('dd >> text=/^(Queued|Failed)$/')
  await page.waitForSelector('dd >> text="Signed, not used yet"')
  const payload = JSON.stringify({ to: 'eu' })
  await op(server, 'request-verify', { request, payload, use: true }, { as: 'ledger' })
  await page.waitForSelector('dd >> text="Signed, already used"')
})

test('without a connection the buttons are disabled, and the bar says why', async () => {
  const { page, context, server } = await at('/approvals')
  const request = await ask(server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector(READY)
  server.signal('SIGKILL')
  await context.setOffline(true)
  await page.waitForSelector('section[aria-label="Your decision"] >> text="Needs a connection"')
  expect(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
})

test('an unrouted review warns in the row and before the decision, and its changes expand', async () => {
  const { page, server } = await at('/approvals')
  const change = (n: number) => ({ kind: 'edit', path: `a${n}.md`, summary: `Shorter ${n}` })
  await op(
    server,
    'request-review',
    {
      review: 'docs-7',
      title: 'Shorter text',
      body: 'Please look at **five** files.',
      changes: JSON.stringify([1, 2, 3, 4, 5].map(change)),
    },
    { as: 'sable' },
  )
  await page.waitForSelector('[data-row] >> text="Unrouted"')
  await page.keyboard.press('j')
  await page.waitForSelector('text=/No person is paired with sable/')
  await page.waitForSelector('text="a3.md"')
  expect(await page.getByText('a4.md').count()).toBe(0)
  await page.getByRole('button', { name: 'Show 2 more' }).click()
  await page.waitForSelector('text="a5.md"')
})

/** A payload for each type the server knows. A missing type doesn't compile. */
const OF_EACH: Record<KnownType, object> = {
  config_change: { target: 'api', current: { limit: 1 }, proposed: { limit: 2 } },
  knowledge_upload: {
    destination: 'library',
    files: [{ name: 'a.md', media_type: 'text/markdown', size: 5, text: '# One' }],
  },
  tool_invocation: { tool: 'Shell', arguments: { command: 'ls' } },
  workspace_review: { body: 'Look', target_path: 'a.md', changes: [] },
  question: { text: 'Which?' },
}

test('every known type of request has its own view, and others show their payload', async () => {
  const { page, server } = await at('/approvals')
  const { body } = await op(server, 'request-types')
  const types = (body.types as { type: string }[]).map(({ type }) => type)
  expect(types.toSorted()).toEqual(Object.keys(OF_EACH).toSorted())
  const none = 'text="There is no special view for this type of request."'
  for (const [type, payload] of Object.entries(OF_EACH)) {
    const request = await ask(server, { type, title: `Of ${type}`, payload })
    await page.goto(`${server.url}/approvals/${request}`)
    await page.waitForSelector(`h2 >> text="Of ${type}"`)
    expect({ type, others: await page.locator(none).count() }).toEqual({ type, others: 0 })
  }
  const other = await ask(server, { type: 'dns_cutover', title: 'Other', payload: { zone: 'eu' } })
  await page.goto(`${server.url}/approvals/${other}`)
  await page.waitForSelector(none)
  await page.waitForSelector('dd >> text="eu"')
})

test('axe finds nothing on requests that are resolved, edited, or next to a thread', async () => {
  const server = await start()
  const one = await visitor({ bypassCSP: true, reducedMotion: 'reduce' })
  const decided = await ask(server, { title: 'A-word-without-an-end'.repeat(9) })
  await op(server, 'approve', { request: decided, revision: 1 })
  const request = await ask(server)
  await revise(server, request)
  const { body } = await op(server, 'send', { from: 'user', to: 'ledger', subject: 'Budget rules' })
  const { thread_id: thread } = body.thread as { thread_id: string }
  await op(server, 'request-link', { request, thread })
  await everyLook(one, server, {
    '/approvals?tab=resolved': `[data-row="${decided}"]`,
    [`/approvals/${decided}?tab=resolved`]: 'dt >> text="Warrant"',
    [`/approvals/${request}?risk=low&sort=new`]: '#compare-title',
    [`/approvals/${request}?thread=${thread}`]: 'dialog h2',
  })
})
