// Signing in as a person does: in a browser, with the printed link.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { op, type Running, servers } from '../server/serving.ts'
import { type Visitor, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

/** Signs in with the link's only button. */
async function signIn({ page }: Visitor, server: Running, link = server.signIn): Promise<void> {
  await page.goto(link)
  await page.click('text="Sign in" >> visible=true >> nth=-1')
  await page.waitForURL(`${server.url}/inbox`)
}

const heading = ({ page }: Visitor) => page.textContent('h1')

async function newLink(server: Running): Promise<string> {
  const { body } = await op(server, 'sign-in', { server: server.url })
  return String(body.link)
}

test('the printed link signs a browser in by keyboard, and works only once', async () => {
  const server = await start()
  const ann = await visitor()
  await ann.page.goto(server.signIn)
  await ann.page.waitForSelector('button:focus')
  await ann.page.keyboard.press('Enter')
  await ann.page.waitForURL(`${server.url}/inbox`)
  await ann.page.waitForSelector('h1 >> text="Inbox"')
  // The page key followed the #, and is not in the browser's history.
  expect(await ann.page.evaluate('localStorage.getItem("page-key")')).toStartWith('mr_')
  expect(await ann.page.evaluate('location.href')).not.toContain('#')

  const [cookie, ...more] = await ann.context.cookies()
  expect(more).toEqual([])
  expect(cookie).toMatchObject({
    domain: '127.0.0.1',
    path: '/',
    httpOnly: true,
    secure: false,
    sameSite: 'Strict',
  })
  const days = ((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
  expect(await ann.page.evaluate('document.cookie')).toBe('')

  const bob = await visitor()
  await bob.page.goto(server.signIn)
  await bob.page.waitForSelector('h1 >> text="This link no longer works"')
  expect(await bob.page.textContent('pre')).toContain(`inbox sign-in --server ${server.url} --db /`)
  expect(await bob.context.cookies()).toEqual([])

  // A signed-in person who returns to the link stays signed in.
  await ann.page.goto(server.signIn)
  await ann.page.waitForURL(`${server.url}/inbox`)
  await ann.page.waitForSelector('h1 >> text="Inbox"')
  expect(ann.complaints).toEqual([])
})

test('shows the unread count, and others’ HTML as text', async () => {
  const server = await start()
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  await op(server, 'agent-register', { agent: 'builder', may_write_to_user: true })
  const mail = { to: 'user', type: 'question', subject: evil, body: `Two lines:\n${evil}` }
  await op(server, 'mail-send', mail, { as: 'builder' })
  const ann = await visitor()
  await signIn(ann, server)
  await ann.page.waitForSelector('text="1 unread"')
  const row = ann.page.locator('[data-row]')
  expect(await row.textContent()).toContain(evil)
  expect(await ann.page.locator('main img, main script').count()).toBe(0)
  // Listing the message didn't mark it as read.
  const { body } = await op(server, 'mail-receipts', { message: await messageIn(server) })
  expect(JSON.stringify(body)).toContain('"state":"queued"')
  expect(ann.complaints).toEqual([])
})

async function messageIn(server: Running): Promise<string> {
  const { body } = await op(server, 'mail-peek', {})
  return (body.messages as { id: string }[])[0]?.id ?? ''
}

test('signing out ends the session, not only the cookie', async () => {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server)
  const kept = await ann.context.cookies()
  await ann.page.click('text=Sign out')
  await ann.page.waitForSelector('text=You’re not signed in')
  expect(await ann.context.cookies()).toEqual([])
  await ann.context.addCookies(kept)
  await ann.page.goto(server.url)
  await ann.page.waitForSelector('text=You’re not signed in')
  await ann.page.click('text=How to sign in')
  await ann.page.waitForSelector('pre >> text=inbox sign-in')
})

test('a revoked session shows how to sign in, and a new link works', async () => {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server)
  const { body } = await op(server, 'token-list', {})
  const session = (body.tokens as { token_id: string; kind: string }[]).find(
    ({ kind }) => kind === 'session',
  )
  await op(server, 'token-revoke', { token: session?.token_id })
  await ann.page.reload()
  await ann.page.waitForSelector('text=You’re not signed in')
  await signIn(ann, server, await newLink(server))
  await ann.page.waitForSelector('h1 >> text="Inbox"')
})

test('an expired session shows how to sign in', async () => {
  const db = join(folder(), 'store.db')
  const server = await start({ db: [db] })
  const ann = await visitor()
  await signIn(ann, server)
  // Expires the session in the store, as if 30 days had passed.
  const store = new DatabaseSync(db)
  // The page is using the store at the same time.
  store.exec('pragma busy_timeout = 10000')
  const past = "update tokens set expires_at = '2020-01-01T00:00:00.000Z' where kind = 'session'"
  expect(store.prepare(past).run().changes).toBe(1)
  store.close()
  await ann.page.reload()
  await ann.page.waitForSelector('text=You’re not signed in')
})

test('the page stays in its store among several, and an unknown store is reported', async () => {
  const home = folder()
  const both = await start({ db: [join(home, 'a.db'), join(home, 'b.db')] })
  const [, second] = both.stores
  await op({ ...both, socket: second?.socket ?? '' }, 'agent-register', { agent: 'mica' })
  const { page } = await visitor()
  await page.goto(second?.sign_in ?? '')
  await page.click('text="Sign in" >> visible=true >> nth=-1')
  const own = (path: string) => `${both.url}${path}?store=${second?.id}`
  await page.waitForURL(own('/inbox'))
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.waitForURL(own('/trash'))
  await page.reload()
  await page.waitForSelector('text="The trash is empty."')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('mica')
  const agents = page.getByRole('group', { name: 'Agents' })
  await agents.getByRole('option', { name: 'mica' }).click()
  await page.waitForURL(own('/agents/mica'))
  await page.getByRole('link', { name: 'Mailroom' }).click()
  await page.waitForURL(own('/inbox'))
  await page.goto(`${both.url}/inbox?store=bogus`)
  await page.getByRole('heading', { name: 'This store doesn’t exist' }).waitFor()
})

test('an unknown address shows a page to browsers and JSON to programs', async () => {
  const server = await start()
  const ann = await visitor()
  const answer = await ann.page.goto(`${server.url}/nonsense`)
  expect({ status: answer?.status(), title: await heading(ann) }).toEqual({
    status: 404,
    title: 'Not found',
  })
  expect((await fetch(`${server.url}/nonsense`)).headers.get('content-type')).toBe(
    'application/json',
  )
})
