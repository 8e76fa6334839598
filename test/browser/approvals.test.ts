// A person reads and decides requests in a real browser against a real server, by keyboard and by mouse.
import { expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import { op, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { ask, signIn, statusOf } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function at(path: string): Promise<Visitor & { server: Awaited<ReturnType<typeof start>> }> {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server, path)
  return { ...ann, server }
}

test('counts 1000 requests, and all can be reached by scrolling', async () => {
  const { page, server, complaints } = await at('/approvals')
  const inbox = await connect(server.stores[0]?.store ?? '')
  const payload = JSON.stringify({ target: 'api', current: {}, proposed: { limit: 2 } })
  const create = (title: string) =>
    inbox.requestCreate({ agent: 'ledger', type: 'config_change', title, payload })
  await Promise.all(Array.from({ length: 1000 }, (_, n) => create(`Request ${n}`)))
  await inbox.close()
  await page.reload()
  await page.getByRole('link', { name: 'Pending 500+' }).waitFor()
  const rows = page.locator('[data-row]')
  await rows.nth(99).waitFor({ state: 'attached' })
  await until(async () => {
    await rows.last().scrollIntoViewIfNeeded()
    return (await rows.count()) === 1000
  }, 'the last page is there')
  await rows.last().click()
  await page.waitForSelector('h2 >> text=/^Request \\d+$/')
  expect(complaints).toEqual([])
})

test('a request can be opened, approved, and undone by keyboard', async () => {
  const { page, server, complaints } = await at('/approvals')
  const request = await ask(server)
  await page.waitForSelector(`[data-row="${request}"]`)
  await page.keyboard.press('j')
  await page.waitForSelector('h2 >> text="Raise the limit"')
  // The request and its consequence are shown before it can be decided.
  await page.waitForSelector('text=Twice as many calls are let through.')
  await page.waitForSelector('del >> text="− 1"')
  await page.waitForSelector('ins >> text="+ 2"')
  await page.waitForSelector('text="1 unchanged"')
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  await page.keyboard.press('a')
  await page.waitForSelector('text=Approved “Raise the limit”')
  await page.waitForSelector('text="ledger will be notified in 5 sec"')
  expect(await statusOf(server, request)).toBe('pending')
  await page.keyboard.press('z')
  await page.waitForSelector('text=Undone. Nothing was decided.')
  await page.waitForSelector('ol >> text=/^You decided to approve$/')
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  await page.click('text="Approve"')
  await until(async () => (await statusOf(server, request)) === 'approved', 'it counts')
  await page.waitForSelector('text=/^Approved by you/')
  expect(complaints).toEqual([])
})

test('a request open for a moment is marked as read, in Approvals and in the inbox', async () => {
  const { page, server } = await at('/approvals')
  const ids = [await ask(server, { title: 'One' }), await ask(server, { title: 'Two' })]
  const unread = async () => (await op(server, 'desk-list')).body.unread
  expect(await unread()).toBe(2)
  await page.click(`[data-row="${ids[0]}"]`)
  await until(async () => (await unread()) === 1, 'the one that is open is read')
  await page.goto(`${server.url}/inbox`)
  await page.click(`[data-row="${ids[1]}"]`)
  await until(async () => (await unread()) === 0, 'so is the other')
  expect(await statusOf(server, ids[1] ?? '')).toBe('pending')
  // A request marked as unread stays unread while it's open. The key toggles the state shown on the page.
  await page.waitForSelector('text="1 unread"', { state: 'detached' })
  await page.keyboard.press('u')
  await until(async () => (await unread()) === 1, 'it is unread')
})

test('a rejection can have a reason, and a revision needs one', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Reject"')
  await page.keyboard.press('v')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('What should ledger change?').waitFor()
  await dialog.getByRole('button', { name: 'Request revision' }).click()
  await dialog.getByText('Say what should change').waitFor()
  await dialog.getByRole('textbox').fill('Not before Monday')
  await page.keyboard.press('Escape')
  // The draft is kept when the dialog closes.
  await page.keyboard.press('v')
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Not before Monday')
  await page.keyboard.press('Control+Enter')
  // While a decision can be undone, the request doesn't count as waiting.
  await page.waitForSelector(
    `[data-row="${request}"][data-sign="none"] >> text="Requesting revision"`,
  )
  const isSent = async () => (await statusOf(server, request)) === 'revision_requested'
  await until(isSent, 'the revision is asked for')
  await page.waitForSelector('h3 >> text=Earlier review notes')
  const { body } = await op(server, 'mail-peek', {}, { as: 'ledger' })
  expect(JSON.stringify(body)).toContain('Not before Monday')
})

test('a high risk needs confirmation, and Escape cancels it', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server, { risk: 'high' })
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  await page.keyboard.press('a')
  await page.waitForSelector('text="Approve at high risk?"')
  await page.keyboard.press('Escape')
  await page.waitForSelector('text="Approve at high risk?"', { state: 'detached' })
  expect(await statusOf(server, request)).toBe('pending')
  await page.keyboard.press('a')
  await page.click('fieldset button:not([disabled]) >> text="Approve"')
  await until(async () => (await statusOf(server, request)) === 'approved', 'it is approved')
})

test('a revision that arrives while the person reads is not decided by mistake', async () => {
  const { page, server } = await at('/approvals')
  const request = await ask(server)
  await page.click(`[data-row="${request}"]`)
  await page.waitForSelector('button:not([aria-disabled=true]) >> text="Approve"')
  // Keeps the page from learning about the new revision.
  await page.route('**/api/ops/request-get', (route) => route.abort())
  await op(server, 'request-revision', { request, revision: 1, notes: 'Less' })
  const payload = JSON.stringify({ target: 'api', current: {}, proposed: { limit: 9 } })
  await op(server, 'resubmit', { request, revision: 1, payload }, { as: 'ledger' })
  await page.keyboard.press('a')
  await page.waitForSelector('text=It changed while you were reading')
  expect(await statusOf(server, request)).toBe('pending')
  await page.unroute('**/api/ops/request-get')
})

test('a stolen cookie cannot decide, because only the page has the key', async () => {
  const { page, context, server } = await at('/approvals')
  const request = await ask(server)
  const [cookie] = await context.cookies()
  const decide = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/ops/approve`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: server.url,
        cookie: `${cookie?.name}=${cookie?.value}`,
        ...headers,
      },
      body: JSON.stringify({ request, revision: 1 }),
    })
  expect((await decide({})).status).toBe(403)
  const other = `mr_01m7h8xk093yygdg2z8n69nvfr_${'a'.repeat(49)}`
  expect((await decide({ 'x-inbox-page-key': other })).status).toBe(401)
  // Without its key, the page doesn't offer actions that would be refused.
  await page.evaluate('localStorage.clear()')
  await page.goto(`${server.url}/approvals/${request}`)
  await page.waitForSelector('h1 >> text="This page has lost its key"')
  expect(await statusOf(server, request)).toBe('pending')
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const server = await start()
  const request = await ask(server, { title: 'A-word-without-an-end'.repeat(9), risk: 'high' })
  await everyLook(await visitor({ bypassCSP: true, reducedMotion: 'reduce' }), server, {
    '/approvals': `[data-row="${request}"]`,
    [`/approvals/${request}`]: '#request-title',
    [`/approvals/${request}?raw=true`]: 'pre',
    [`/inbox/${request}`]: '#request-title',
    '/threads': 'text="No work is waiting for an answer."',
    '/trash': 'text="The trash is empty."',
    '/settings/keyboard': 'text="Single-key shortcuts"',
  })
})
