// Other sites' pages can't make a signed-in person's browser act on the server. One test page is on another site. The
// other is on this host at another port, to which the browser does send the cookie.
import { afterAll, describe, expect, test } from 'bun:test'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { type Visitor, visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

const seen: { path: string; cookie: string | null }[] = []
const other = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    seen.push({ path: pathname, cookie: request.headers.get('cookie') })
    return new Response('<!doctype html><title>other</title><p>other', {
      headers: { 'content-type': 'text/html' },
    })
  },
})
afterAll(() => other.stop(true))

const SITES = {
  'another site': `http://other.example:${other.port}/`,
  'another port of this host': `http://127.0.0.1:${other.port}/`,
}

async function signedIn(): Promise<{ server: Running; ann: Visitor }> {
  const server = await start()
  await op(server, 'agent-register', { agent: 'builder' })
  const ann = await visitor()
  await ann.page.goto(server.signIn)
  await ann.page.click('button')
  await ann.page.waitForURL(`${server.url}/inbox`)
  return { server, ann }
}

for (const [name, site] of Object.entries(SITES)) {
  describe(`a page of ${name}`, () => {
    test('cannot fetch anything, with or without reading the response', async () => {
      const { server, ann } = await signedIn()
      await ann.page.goto(site)
      const statuses: number[] = []
      ann.page.on('response', (response) => statuses.push(response.status()))
      const tries = await ann.page.evaluate(async (url) => {
        const json = { 'content-type': 'application/json' }
        const body = '{"to":"builder","subject":"forged"}'
        const wants: [string, RequestInit][] = [
          ['/api/me', { credentials: 'include' }],
          ['/', { credentials: 'include', mode: 'no-cors' }],
          ['/api/ops/send', { method: 'POST', credentials: 'include', headers: json, body }],
          ['/api/ops/send', { method: 'POST', credentials: 'include', mode: 'no-cors', body }],
          ['/sign-out', { method: 'POST', credentials: 'include', mode: 'no-cors' }],
        ]
        const ends = wants.map(async ([path, init]) => {
          try {
            return (await fetch(url + path, init)).status
          } catch {
            return 'refused'
          }
        })
        return Promise.all(ends)
      }, server.url)
      // An opaque response would have status 0, but not even that gets through.
      expect(tries).toEqual(Array(5).fill('refused'))
      expect(statuses.filter((status) => status < 400)).toEqual([])
      expect((await op(server, 'list', {})).body.threads).toEqual([])
      await ann.page.goto(server.url)
      await ann.page.waitForSelector('h1 >> text="Inbox"')
    })

    test('cannot submit a form', async () => {
      const { server, ann } = await signedIn()
      for (const path of ['/sign-out', '/sign-in', '/api/ops/send']) {
        await ann.page.goto(site)
        await ann.page.setContent(
          `<form method="post" action="${server.url}${path}"><input name="code"><button>Go</button></form>`,
        )
        await ann.page.click('button')
        await ann.page.waitForURL(`${server.url}${path}`)
        expect(await ann.page.textContent('main')).toContain('pages of other sites may not')
      }
      await ann.page.goto(server.url)
      await ann.page.waitForSelector('h1 >> text="Inbox"')
    })

    test('cannot frame the app or load its responses', async () => {
      const { server, ann } = await signedIn()
      await ann.page.goto(site)
      const ends: Record<string, string> = {}
      const note = (url: string, isAllowed: boolean) => {
        ends[url.slice(server.url.length)] = isAllowed ? 'allowed' : 'refused'
      }
      ann.page.on('requestfailed', (request) => note(request.url(), false))
      ann.page.on('response', (response) => note(response.url(), response.status() < 400))
      await ann.page.setContent(
        `<script src="${server.url}/api/me"></script><img src="${server.url}/api/inbox/history">
        <link rel="stylesheet" href="${server.url}/style.css"><iframe src="${server.url}/"></iframe>`,
      )
      const all = ['/api/me', '/api/inbox/history', '/style.css', '/']
      const isComplete = () => all.every((path) => ends[path] === 'refused')
      // The page may be ready before all four are reported.
      await until(async () => isComplete(), 'all four are refused').catch(() => {})
      expect(ends).toEqual(Object.fromEntries(all.map((path) => [path, 'refused'])))
    })

    test('has no access to a window it opened', async () => {
      const { server, ann } = await signedIn()
      await ann.page.goto(site)
      const opening = ann.page.waitForEvent('popup')
      await ann.page.evaluate(`window.opened = window.open('${server.url}/'); 0`)
      const opened = await opening
      await opened.waitForSelector('text=Sign out')
      expect(await opened.evaluate('window.opener')).toBeNull()
      expect(await ann.page.evaluate('window.opened.closed')).toBe(true)
    })

    test('can link to the app, and the person is still signed in', async () => {
      const { server, ann } = await signedIn()
      await ann.page.goto(site)
      await ann.page.setContent(`<a href="${server.url}/">inbox</a>`)
      await ann.page.click('a')
      await ann.page.waitForSelector('text=Sign out')
      await ann.page.waitForSelector('h1 >> text="Inbox"')
    })
  })
}

test('refuses another host name that resolves to the server', async () => {
  const { server, ann } = await signedIn()
  const answer = await ann.page.goto(`http://rebound.example:${server.port}/`)
  expect(answer?.status()).toBe(421)
})

test('a browser sends the cookie to other ports of the host, but to no other name', async () => {
  const { ann } = await signedIn()
  const cookieAt = async (url: string) => {
    await ann.page.goto(url)
    return seen.at(-1)?.cookie
  }
  // docs/security.md documents this. If this ever fails, a session could be allowed to do more.
  expect(await cookieAt(`http://127.0.0.1:${other.port}/port`)).toStartWith('inbox_')
  expect(await cookieAt(`http://localhost:${other.port}/name`)).toBeNull()
})
