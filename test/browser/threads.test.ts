// A person answers questions from blocked work, by keyboard and by mouse, against a real server.
import { expect, test } from 'bun:test'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { signIn } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

async function at(path: string): Promise<Visitor & { server: Running }> {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server, path)
  return { ...ann, server }
}

type Work = { subject?: string; worker?: string; from?: string; lease_seconds?: number }

/** Creates work that a worker has claimed, and returns its thread. */
async function taken(server: Running, work: Work = {}): Promise<string> {
  const {
    subject = 'Compare the balances',
    worker = 'mica',
    from = 'user',
    lease_seconds = 900,
  } = work
  const asker = from === 'user' ? {} : { as: from }
  const { body } = await op(
    server,
    'send',
    { from, to: worker, subject, body: 'All of them.' },
    asker,
  )
  const thread = (body.thread as { thread_id: string }).thread_id
  await op(server, 'claim', { agent: worker, thread, lease_seconds }, { as: worker })
  return thread
}

const OPTIONS = ['Replica-b, read-only', 'Last night’s dump', 'Neither, stop here']

async function asking(server: Running, work: Work & { options?: string[]; summary?: string } = {}) {
  const thread = await taken(server, work)
  const { worker = 'mica', options = OPTIONS, summary = 'Which replica may I read?' } = work
  const payload_json = JSON.stringify({ options })
  const input = { agent: worker, thread, status: 'blocked', summary, payload_json }
  await op(server, 'update', input, { as: worker })
  return thread
}

async function threadOf(server: Running, thread: string) {
  const { body } = await op(server, 'show', { thread })
  return body as unknown as {
    thread: { status: string }
    messages: { kind: string; from_agent: string; body: string; payload_json: object }[]
  }
}

test('selects an option by its number, adds text, and the worker continues', async () => {
  const { page, server, complaints } = await at('/threads')
  const thread = await asking(server)
  await page.waitForSelector(`[data-row="${thread}"] >> text="Which replica may I read?"`)
  await page.keyboard.press('j')
  await page.waitForSelector('section[aria-label="Question"]')
  await page.keyboard.press('2')
  await page.waitForSelector('label[data-chosen=true] >> text="Last night’s dump"')
  // Selecting an option doesn't send it.
  expect((await threadOf(server, thread)).thread.status).toBe('blocked')
  await page.keyboard.press('r')
  await page.keyboard.type('Only the ledger schema.')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('text=/Answered at .* mica hasn’t read it yet/')
  const { thread: now, messages } = await threadOf(server, thread)
  expect(now.status).toBe('in_progress')
  expect(messages.at(-1)).toMatchObject({
    kind: 'answer',
    from_agent: 'user',
    payload_json: { option: 'Last night’s dump' },
    body: 'Last night’s dump\n\nOnly the ledger schema.',
  })
  // The worker reads the answer, and the page says when.
  await op(server, 'mail-read', { agent: 'mica' }, { as: 'mica' })
  await page.waitForSelector('text=/mica received it at \\d\\d:\\d\\d/')
  await page.waitForSelector('text="No work is waiting for an answer."')
  expect(complaints).toEqual([])
})

test('by mouse: opens a question and answers it, with a draft that survives a reload', async () => {
  const { page, server } = await at('/threads?state=active')
  const thread = await asking(server)
  await page.getByRole('link', { name: /^Blocked 1/ }).click()
  await page.click(`[data-row="${thread}"]`)
  await page.getByLabel('Add to your answer').fill('Wait until two.')
  await page.reload()
  expect(await page.getByLabel('Add to your answer').inputValue()).toBe('Wait until two.')
  await page.click('label >> text="Neither, stop here"')
  await page.getByRole('button', { name: 'Answer' }).click()
  await until(
    async () => (await threadOf(server, thread)).thread.status === 'in_progress',
    'an answer',
  )
})

test('a question the worker withdrew is grayed out and accepts no answer', async () => {
  const { page, server } = await at('/threads')
  const thread = await asking(server)
  await page.click(`[data-row="${thread}"]`)
  await page.waitForSelector('section[data-state=open]')
  const going = { agent: 'mica', thread, status: 'in_progress', summary: 'Found it myself' }
  await op(server, 'update', going, { as: 'mica' })
  await page.waitForSelector(
    'section[data-state=superseded] >> text=/mica no longer needs an answer/',
  )
  expect(await page.getByRole('button', { name: 'Answer' }).count()).toBe(0)
})

test('tabs show counts, the longest wait is first, and filters are in the address', async () => {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server)
  const { page } = ann
  const first = await asking(server, { summary: 'The first?' })
  const second = await asking(server, { summary: 'The second?', worker: 'harbor' })
  const others = await asking(server, { summary: 'Not for you?', from: 'lead' })
  const active = await taken(server, { subject: 'Nightly evals', worker: 'fern' })
  await op(server, 'send', { from: 'user', to: 'quill', subject: 'Vendor pack' })
  await page.goto(`${server.url}/threads`)
  await page.getByRole('link', { name: 'Blocked 3' }).waitFor()
  await page.getByRole('link', { name: 'Active 1' }).waitFor()
  await page.getByRole('link', { name: 'Waiting 1' }).waitFor()
  await page.getByRole('link', { name: 'All 5' }).waitFor()
  const rows = () =>
    page.$$eval('[data-row]', (found) => found.map((one) => one.getAttribute('data-row')))
  expect(await rows()).toEqual([first, second, others])
  await page.waitForSelector('h2 >> text="Blocked on others"')
  await page.keyboard.press('/')
  await page.keyboard.type('VENDOR')
  await page.waitForSelector('text="No threads match."')
  await page.getByRole('link', { name: /^All/ }).click()
  await page.waitForSelector('text="Vendor pack"')
  expect(new URL(page.url()).search).toBe('?q=VENDOR&state=all')
  await page.getByLabel('Search threads').fill('')
  await page.getByLabel('Agent').selectOption('fern')
  await until(async () => String(await rows()) === active, 'only the work of fern')
  expect(new URL(page.url()).searchParams.get('agent')).toBe('fern')
})

test('shows who holds the lease, until when, its artifacts, and linked requests', async () => {
  const { page, server } = await at('/threads?state=active')
  const thread = await taken(server, { lease_seconds: 100 })
  const artifacts = [{ path: 'reports/balances.md', kind: 'report' }]
  const working = { agent: 'mica', thread, status: 'in_progress', summary: 'Half done', artifacts }
  await op(server, 'update', working, { as: 'mica' })
  const { body } = await op(
    server,
    'request-create',
    { type: 'chore', title: 'May I drop the table?', payload: '{}' },
    { as: 'mica' },
  )
  await op(server, 'request-link', { request: body.request_id, thread })
  await page.click(`[data-row="${thread}"]`)
  await page.waitForSelector('text="mica holds the lease"')
  // The countdown is only visual. A screen reader announces when the lease ends.
  await page.waitForSelector('span[aria-hidden=true] >> text=/^1:\\d\\d$/')
  await page.waitForSelector('text=/until \\d\\d:\\d\\d/')
  await page.waitForSelector('text="reports/balances.md"')
  await page.click('text="May I drop the table?"')
  await page.waitForURL(`**/approvals/${String(body.request_id)}`)
})

test('shows that a lease has expired', async () => {
  const { page, server } = await at('/threads?state=all')
  const thread = await taken(server, { lease_seconds: 1 })
  await page.click(`[data-row="${thread}"]`)
  await page.waitForSelector('text=/mica’s lease expired at \\d\\d:\\d\\d/')
})

test('work can be canceled after a confirmation, and a message reaches the worker', async () => {
  const { page, server } = await at('/threads?state=active')
  const thread = await taken(server)
  await page.click(`[data-row="${thread}"]`)
  await page.waitForSelector('text="mica holds the lease"')
  await page.keyboard.press('r')
  await page.keyboard.type('Mind the rounding.')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=/^Sent/')
  expect((await threadOf(server, thread)).messages.at(-1)).toMatchObject({
    kind: 'control',
    body: 'Mind the rounding.',
  })
  await page.getByRole('button', { name: 'Cancel work…' }).click()
  await page.getByRole('dialog').getByText('Canceled work can’t').waitFor()
  await page.keyboard.press('Escape')
  expect((await threadOf(server, thread)).thread.status).toBe('claimed')
  await page.getByRole('button', { name: 'Cancel work…' }).click()
  await page.getByLabel('Reason (the agent will see it)').fill('No longer wanted')
  await page.getByRole('button', { name: 'Cancel this work' }).click()
  await page.waitForSelector('text="Canceled “Compare the balances”"')
  expect((await threadOf(server, thread)).thread.status).toBe('cancelled')
})

test('axe finds nothing on the Threads screen', async () => {
  const server = await start()
  const one = await visitor({ bypassCSP: true, reducedMotion: 'reduce' })
  const thread = await asking(server, { subject: 'A-word-without-an-end'.repeat(9) })
  const active = await taken(server)
  await everyLook(one, server, {
    '/threads': `[data-row="${thread}"]`,
    '/threads?state=all': `[data-row="${active}"]`,
    [`/threads/${thread}`]: 'section[aria-label="Question"]',
    [`/threads/${active}?state=active`]: 'text="mica holds the lease"',
  })
})

test('a question by mail that the rail counts is listed in Threads, and gone once answered', async () => {
  const { page, server, complaints } = await at('/threads')
  await op(server, 'agent-register', { agent: 'quill', may_write_to_user: true })
  const letter = { to: 'user', type: 'question', subject: 'Which tone?', body: 'Warm or plain?' }
  const { body } = await op(server, 'mail-send', { from: 'quill', ...letter }, { as: 'quill' })
  const row = page.locator('ul[aria-label="Asked by mail"] a', { hasText: 'Which tone?' })
  await row.waitFor()
  await page.waitForSelector('nav[aria-label="Main"] a[href^="/threads"] >> text=/1/')
  await row.click()
  await page.waitForURL(/\/inbox\/thr_/)
  const in_reply_to = (body.message as { id: string }).id
  await op(server, 'mail-send', { in_reply_to, type: 'answer', body: 'Plain.' })
  await page.goto(`${server.url}/threads`)
  await page.waitForSelector('text="No work is waiting for an answer."')
  expect(complaints).toEqual([])
})
