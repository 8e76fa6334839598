// Channels in a real browser: what agents say to each other, live, by keyboard and by mouse. The test plays the runner
// and its agents in the same store.
import { expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { openMailroom } from '../../src/bin/compose.ts'
import { endInstance } from '../../src/workflows/instance-life.ts'
import { op, type Running, servers } from '../server/serving.ts'
import { begin, speak } from '../worlds/instances.ts'
import { until } from '../worlds/world.ts'
import { lookAt } from './looking.ts'
import { signIn } from './signed-in.ts'
import { type Visitor, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

type Says = (from: string, text: string, more?: object) => ReturnType<typeof speak>
type Team = {
  say: Says
  end: (how?: 'idle' | 'failed') => Promise<void>
  close: () => Promise<void>
}

const AGENTS = ['atlas', 'sable', 'quill']

/** Starts a team next to the server. The default instance is `audit`. */
async function team(server: Running, instance = 'audit', more: object = {}): Promise<Team> {
  const room = await openMailroom(server.stores[0]?.store ?? '')
  const { token } = await begin(room, { instance, dir: folder(), ...more }, AGENTS)
  return {
    say: (from, text, more = {}) => {
      const who = from === 'user' || from === 'system' ? from : `${from}@${instance}`
      return speak(room, who, text, { instance, ...more })
    },
    end: async (how = 'idle') => void (await endInstance(room.store, { instance, token }, how)),
    close: () => room.close(),
  }
}

async function arrived(): Promise<Visitor & Team & { server: Running }> {
  const server = await start()
  const ann = await visitor({ viewport: { width: 1440, height: 900 } })
  const own = await team(server)
  await signIn(ann, server)
  return { ...ann, ...own, server }
}

const entry = (page: Page, text: string) => page.locator('[data-entry]', { hasText: text })

async function lastOf(server: Running, instance = 'audit') {
  const { body } = await op(server, 'workflow-entries', { instance, limit: 1 })
  const [last] = body.entries as {
    from: string
    message: string
    mentions: string[]
    reply_to: string | null
  }[]
  return last
}

const CHOOSE_AND_WRITE = `(async () => {
  const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
  document.activeElement.dispatchEvent(tab)
  await null
  document.execCommand('insertText', false, 'p')
  await new Promise(requestAnimationFrame)
})()`

test('by keyboard: opens a channel, mentions an agent, and sends a message', async () => {
  const { page, say, server, close, complaints } = await arrived()
  await say('atlas', 'Clauses 4 and 9 conflict. @sable can you check?')
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.locator('h1:focus', { hasText: 'Channels' }).waitFor({ state: 'attached' })
  await page.locator('[data-row=audit]').waitFor()
  await page.keyboard.press('j')
  await page.waitForURL('**/channels/audit')
  await entry(page, 'Clauses 4 and 9').waitFor()
  // Only a name that is mentioned is highlighted.
  expect(await page.locator('article span', { hasText: /^@sable$/ }).count()).toBe(1)
  await page.keyboard.press('r')
  await page.keyboard.type('If so, @qu')
  await page.getByRole('option', { name: 'quill' }).waitFor()
  // A letter typed right after Tab follows the completed name.
  await page.evaluate(CHOOSE_AND_WRITE)
  await page.keyboard.type('lease redo it')
  await page.getByText('quill is dormant and will be woken').waitFor()
  await page.keyboard.press('Enter')
  await entry(page, 'please redo it').waitFor()
  expect(await lastOf(server)).toMatchObject({
    from: 'user',
    message: 'If so, @quill please redo it',
    mentions: ['quill'],
  })
  await until(async () => (await page.getByRole('textbox').inputValue()) === '', 'it is sent')
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await page.waitForURL('**/channels/audit?panel=none')
  await page.locator('aside').waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
  await close()
})

test('by mouse: replies to an entry, follows its link, and opens the agent', async () => {
  const { page, say, server, close } = await arrived()
  const asked = await say('sable', '@user which clause wins?')
  await page.goto(`${server.url}/channels`)
  const row = page.locator('[data-row=audit]')
  await row.getByText('1 for you').waitFor()
  await row.click()
  await entry(page, 'which clause wins').hover()
  await page.getByRole('button', { name: 'Reply to sable' }).click()
  await page.keyboard.type('Clause 4')
  await page.getByRole('button', { name: 'Send' }).click()
  await entry(page, 'Clause 4').getByText('reply to sable').waitFor()
  expect(await lastOf(server)).toMatchObject({ message: 'Clause 4', reply_to: asked.entry.id })
  // A mention counts as read once its channel has been open for a moment.
  await row.getByText('for you').waitFor({ state: 'detached' })
  await entry(page, 'Clause 4').getByText('reply to sable').click()
  await page.waitForURL('**/channels/audit?entry=2')
  await page.locator('[data-shown=true]', { hasText: 'which clause wins' }).waitFor()
  await page.getByRole('link', { name: 'sable', exact: true }).click()
  await page.waitForURL(/agents.sable/)
  await close()
})

test('follows new messages at the end, but only counts them while the person reads further up', async () => {
  const { page, say, server, close } = await arrived()
  for (let n = 0; n < 40; n++) await say('atlas', `Line ${n} of the report`)
  await page.goto(`${server.url}/channels/audit`)
  await entry(page, 'Line 39 of').waitFor()
  await say('sable', 'Followed at once')
  await until(async () => await isInView(page, 'Followed at once'), 'the new message is in view')
  const box = page.getByRole('log')
  await box.hover()
  await page.mouse.wheel(0, -1200)
  await page.getByRole('button', { name: 'Newest' }).waitFor()
  const before = await topOf(page, 'Line 25 of')
  for (let n = 0; n < 5; n++) await say('sable', `Unseen ${n}`)
  await page.getByRole('button', { name: '5 new messages' }).waitFor()
  expect(await topOf(page, 'Line 25 of')).toBe(before)
  await page.getByRole('button', { name: '5 new messages' }).click()
  await until(async () => await isInView(page, 'Unseen 4'), 'the newest are in sight')
  await close()
})

async function topOf(page: Page, text: string): Promise<number> {
  return Math.round((await entry(page, text).boundingBox())?.y ?? -1)
}

async function isInView(page: Page, text: string): Promise<boolean> {
  const box = await entry(page, text)
    .boundingBox({ timeout: 1000 })
    .catch(() => null)
  return box !== null && box.y > 0 && box.y + box.height < 900
}

test('with 100,000 entries few are rendered, and both ends can be reached', async () => {
  const { page, server, close } = await arrived()
  const room = await openMailroom(server.stores[0]?.store ?? '')
  const { instance } = (await begin(room, { instance: 'long' }, AGENTS)) as never as {
    instance: { thread_id: string }
  }
  await room.close()
  await fill(server, instance.thread_id, 100_000)
  // There is nothing newer to fetch, and asking for it would delay the older entries.
  await page.route('**/api/ops/workflow-entries', (route) => {
    const isNewer = route.request().postData()?.includes('"after":100000')
    return isNewer ? undefined : route.continue()
  })
  await page.goto(`${server.url}/channels/long`)
  await entry(page, 'Entry 100000 of').waitFor()
  const held = () => page.locator('[data-entry]').count()
  expect(await held()).toBeLessThan(130)
  const box = page.getByRole('log')
  await box.hover()
  await until(async () => {
    await page.mouse.wheel(0, -6000)
    return (await firstSeq(page)) < 99_500
  }, 'older ones have come')
  expect(await held()).toBeLessThanOrEqual(300)
  await page.goto(`${server.url}/channels/long?entry=50000`)
  await page.locator('[data-shown=true]', { hasText: 'Entry 50000 of' }).waitFor()
  await until(async () => await isInView(page, 'Entry 50000 of'), 'it is in view')
  await page.keyboard.press('End')
  await entry(page, 'Entry 100000 of').waitFor()
  await until(async () => await isInView(page, 'Entry 100000 of'), 'the end is in view')
  expect(await held()).toBeLessThanOrEqual(300)
  await close()
})

function firstSeq(page: Page): Promise<number> {
  return page.evaluate('Number(document.querySelector("[data-seq]").dataset.seq)')
}

/** Writes the entries with one statement, because this tests the page, not how fast a channel is written. */
async function fill(server: Running, thread: string, count: number): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(server.stores[0]?.store ?? '')
  const columns = db.prepare('select * from messages where thread_id = ? and seq = 1').get(thread)
  const names = Object.keys(columns as object)
  const values = names.map((name) => {
    if (name === 'seq') return 'n.value'
    if (name === 'message_id') return `'msg_fill' || printf('%022d', n.value)`
    if (name === 'from_agent') return `'atlas@long'`
    if (name === 'body') return `'Entry ' || n.value || ' of many, with some words to read'`
    return name
  })
  db.exec(`insert into messages (${names.join(', ')})
    with recursive n (value) as (select 2 union all select value + 1 from n where value < ${count})
    select ${values.join(', ')} from n, (select * from messages where thread_id = '${thread}' and seq = 1)`)
  db.exec(`update threads set message_count = ${count} where thread_id = '${thread}'`)
  db.close()
}

test('hostile text does not run, and invisible characters are escaped', async () => {
  const { page, say, server, close, complaints } = await arrived()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await say(
    'atlas',
    '<img src=x onerror="document.title=1"> [x](javascript:alert(1)) ![i](http://127.0.0.1:9/a.png)',
  )
  await say('atlas', 'approve \u202Eevil\u202C @sable\u200B @user')
  await say('atlas', `# ${'@'.repeat(4000)}`)
  await page.goto(`${server.url}/channels/audit`)
  await entry(page, 'onerror').waitFor()
  await entry(page, '\\u202Eevil').locator('samp').first().waitFor()
  expect(await page.locator('[data-entry] img').count()).toBe(0)
  expect(await page.locator('[data-entry] a[href^=javascript]').count()).toBe(0)
  expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('an ended run shows how it ended, accepts no messages, and stays readable', async () => {
  const { page, say, end, server, close } = await arrived()
  await say('atlas', 'Almost done')
  await page.goto(`${server.url}/channels/audit`)
  await page.getByRole('textbox', { name: 'Message audit' }).waitFor()
  await end()
  await page.getByText('All agents finished').waitFor()
  await page.getByRole('textbox', { name: 'Message audit' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Ended' }).waitFor()
  await entry(page, 'Almost done').waitFor()
  await page.goto(`${server.url}/channels/nowhere`)
  await page.getByText('This channel doesn’t exist.').waitFor()
  await page.getByRole('link', { name: 'Show all channels' }).click()
  await page.waitForURL('**/channels')
  await close()
})

test('one agent or the whole run can be stopped, after a confirmation', async () => {
  const { page, server, close } = await arrived()
  const seen = async () => {
    const { body } = await op(server, 'workflow-channel', { instance: 'audit' })
    return (body.agents as { name: string; stopping: boolean }[])
      .filter(({ stopping }) => stopping)
      .map(({ name }) => name)
  }
  await page.goto(`${server.url}/channels/audit`)
  const aside = page.getByRole('complementary')
  await aside.getByRole('listitem').filter({ hasText: 'sable' }).hover()
  await page.getByRole('button', { name: 'Stop sable…' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await seen()).toEqual([])
  await page.getByRole('button', { name: 'Stop sable…' }).click()
  await page.getByRole('button', { name: 'Stop sable', exact: true }).click()
  await aside.getByText('Stopped').waitFor()
  expect(await seen()).toEqual(['sable'])
  expect(await page.getByText('Stopping').count()).toBe(0)
  await page.keyboard.press('r')
  await page.keyboard.type('@sable and @quil, one more')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('status').filter({ hasText: 'Sent, but' })
  await notice.filter({ hasText: 'did you mean quill?' }).filter({ hasText: 'stopped' }).waitFor()
  await page.getByRole('button', { name: 'Stop audit…' }).click()
  await page.getByRole('button', { name: 'Stop all agents' }).click()
  await until(async () => (await seen()).length === 3, 'all are told')
  await close()
})

test('documents update live, and earlier revisions can be shown and compared', async () => {
  const { page, say, server, close, complaints } = await arrived()
  const write = (file: string, content: string) =>
    op(server, 'workflow-context-doc-write', { instance: 'audit', file, content })
  await say('atlas', 'The draft is in notes.md')
  expect((await write('notes.md', '# Draft\n\nClause 4 wins.')).status).toBe(200)
  await write('data/risks.csv', 'a,b\n1,2')
  await page.goto(`${server.url}/channels/audit`)
  const aside = page.getByRole('complementary')
  await aside.getByRole('link', { name: 'data/risks.csv' }).waitFor()
  await aside.getByRole('link', { name: 'notes.md' }).click()
  await page.waitForURL('**/channels/audit/doc/notes.md')
  await page.getByRole('heading', { name: 'Draft' }).waitFor()
  // A change by someone else appears without a reload.
  await write('notes.md', '# Draft\n\nClause 9 wins.')
  await page.getByText('Clause 9 wins.').waitFor()
  await page.getByText('Revision 2. Written by you').waitFor()
  await page.getByLabel('Revision').selectOption('1')
  await page.waitForURL('**/channels/audit/doc/notes.md?revision=1')
  await page.getByText('Clause 4 wins.').waitFor()
  // Any two revisions can be compared, and the address keeps both.
  await page.getByLabel('Revision').selectOption('')
  await page.getByLabel('Compare with').selectOption('1')
  await page.waitForURL('**/channels/audit/doc/notes.md?since=1')
  await page.getByText('Since revision 1: 1 line added, 1 removed.').waitFor()
  await page.locator('[data-scope="deletion"]', { hasText: 'Clause 4 wins.' }).waitFor()
  await page.locator('[data-scope="addition"]', { hasText: 'Clause 9 wins.' }).waitFor()
  await lookAt({ page }, 'two revisions')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: '#audit' }).waitFor()
  await page.goto(`${server.url}/channels/audit/doc/data/risks.csv`)
  await page.getByText('a,b').waitFor()
  await page.goto(`${server.url}/channels/audit/doc/nothing.md`)
  await page.getByText('This document doesn’t exist').waitFor()
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
  await close()
})

test('a mention that arrives while an earlier one is being marked as read stays unread', async () => {
  const { page, say, server, close } = await arrived()
  await say('sable', '@user which clause wins?')
  const slowly = async (route: Route) => {
    await say('sable', '@user and which is older?')
    await route.continue()
  }
  await page.route('**/api/ops/desk-mark', slowly, { times: 1 })
  const marked = page.waitForResponse('**/api/ops/desk-mark')
  await page.goto(`${server.url}/channels/audit`)
  expect(await (await marked).json()).toMatchObject({ changed: [] })
  // Both are marked as read once both are shown.
  await entry(page, 'which is older?').waitFor()
  await page.getByRole('link', { name: 'Channels', exact: true }).waitFor()
  await close()
})

test('a mention in the inbox opens its channel and can be answered there', async () => {
  const { page, say, server, end, close } = await arrived()
  await say('sable', '@user may I go on?')
  await page.goto(`${server.url}/inbox`)
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.getByRole('link', { name: 'Channels 1 unread' }).waitFor()
  await page.locator('[data-row]').first().click()
  await entry(page, 'may I go on?').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('@sable yes')
  await page.keyboard.press('Enter')
  await until(async () => (await lastOf(server))?.message === '@sable yes', 'it is sent')
  await page.getByRole('link', { name: '#audit' }).click()
  await page.waitForURL('**/channels/audit')
  await rail.getByRole('link', { name: 'Channels', exact: true }).waitFor()
  // No one waits for an answer in a channel that has ended.
  await page.goto(`${server.url}/inbox`)
  await say('sable', '@user it is done')
  await rail.getByRole('link', { name: 'Channels 1 unread' }).waitFor()
  await end()
  await rail.getByRole('link', { name: 'Channels', exact: true }).waitFor()
  await close()
})

test('text that failed to send is kept, and the list marks a draft', async () => {
  const { page, server, close } = await arrived()
  await page.goto(`${server.url}/channels/audit`)
  await page.getByRole('textbox', { name: 'Message audit' }).fill('@atlas wait')
  await page.route('**/api/ops/workflow-context-send', (route) => route.abort())
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Your text is still here' }).waitFor()
  await page.goto(`${server.url}/channels`)
  await page.locator('[data-row=audit]').getByLabel('has a draft').waitFor()
  await page.unroute('**/api/ops/workflow-context-send')
  await page.goto(`${server.url}/channels/audit`)
  // Text typed while a message is being sent isn't treated as sent.
  const { promise: typed, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/ops/workflow-context-send', async (route) => {
    await typed
    await route.continue()
  })
  const field = page.getByRole('textbox', { name: 'Message audit' })
  await field.press('End')
  await field.press('Enter')
  await page.keyboard.type(' or rather go on')
  release()
  await entry(page, '@atlas wait').waitFor()
  await until(async () => (await field.inputValue()) === 'or rather go on', 'the rest stays')
  await close()
})

test('axe finds nothing in an empty list, a running channel, its documents, or an ended channel', async () => {
  const server = await start()
  const ann = await visitor({ bypassCSP: true, reducedMotion: 'reduce' })
  const { page } = ann
  await signIn(ann, server, '/channels')
  await page.getByText('No workflows have run yet').waitFor()
  await lookAt(ann, 'no channels')
  const { say, end, close } = await team(server)
  await say('atlas', 'A list:\n- `one`\n- two @sable\n\n```ts\nconst a = 1\n```')
  await say('sable', '@user ok?')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.url}/channels/audit?entry=2`)
  await entry(page, 'ok?').waitFor()
  await lookAt(ann, 'a channel')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('textbox').fill('@')
  await page.getByRole('option', { name: 'quill' }).waitFor()
  await lookAt(ann, 'names')
  await page.goto(`${server.url}/channels/audit?panel=around`)
  await page.getByRole('complementary').waitFor()
  await lookAt(ann, 'around')
  const document = { instance: 'audit', file: 'notes.md', content: '# Draft\n\nWords' }
  await op(server, 'workflow-context-doc-write', document)
  await page.goto(`${server.url}/channels/audit/doc/notes.md`)
  await page.getByRole('heading', { name: 'Draft' }).waitFor()
  await page.getByLabel('Revision').waitFor()
  await lookAt(ann, 'a document')
  await end('failed')
  await page.goto(`${server.url}/channels/audit`)
  await page.getByText('The run failed').waitFor()
  await lookAt(ann, 'ended')
  await close()
})
