// The inbox list: by keyboard and by mouse, with a huge number of rows, and with many changes.
import { beforeAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { everyLook } from './looking.ts'
import { fillDesk, pushIdOf } from './many-rows.ts'
import { ask, signIn } from './signed-in.ts'
import { otherTab, visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()
const DESK = { viewport: { width: 1440, height: 900 } }

/** Starts a server with this many pushes from agents, the newest last. */
async function withPushes(count: number): Promise<{ server: Running; entries: string[] }> {
  const server = await start()
  const place = join(folder(), 'work')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'a.md'), '# Draft')
  const { body } = await op(server, 'workspace-add', { path: place, label: 'Thesis' })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const entries: string[] = []
  for (let n = 1; n <= count; n++) {
    const push = { workspace, docs: ['a.md'], comments: `Report ${n}\nSome words.` }
    entries.push(String((await op(server, 'push', push)).body.entry_id))
  }
  await op(server, 'agent-register', { agent: 'mica', may_write_to_user: true })
  return { server, entries }
}

async function mail(server: Running, subject: string, type = 'status') {
  const { body } = await op(server, 'mail-send', { to: 'user', type, subject }, { as: 'mica' })
  return body.message as { id: string; thread_id: string }
}

const titles = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('[role=group] [data-row]')].map(
      (row) => row.querySelector('[dir=auto]')?.textContent ?? '')`,
  ) as Promise<string[]>
const openPath = (page: Page) => page.evaluate('location.pathname') as Promise<string>
const focused = (page: Page) =>
  page.evaluate('document.activeElement?.dataset.row') as Promise<string | undefined>
const unreadRows = (page: Page) => page.locator('[data-row][data-sign=unread]').count()

test('five rows can be trashed and restored by keyboard', async () => {
  const { server, entries } = await withPushes(6)
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await page.waitForSelector(`[data-row="${entries[5]}"]`)
  await page.keyboard.press('j')
  for (const left of [5, 4, 3, 2, 1]) {
    await page.keyboard.press(left % 2 === 0 ? 'Delete' : '#')
    await until(async () => (await titles(page)).length === left, `${left} rows are left`)
    // The next older row is selected and has the focus.
    expect(await focused(page)).toBe(entries[left - 1])
  }
  await until(async () => (await openPath(page)) === `/inbox/${entries[0]}`, 'the last is open')
  for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('z')
  await until(async () => (await titles(page)).length === 6, 'all are back')
  expect(await titles(page)).toEqual([6, 5, 4, 3, 2, 1].map((n) => `Report ${n}`))
  expect(ann.complaints).toEqual([])
})

test('E marks as read and moves on, U marks as unread, Shift+U filters', async () => {
  const { server, entries } = await withPushes(3)
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await until(async () => (await unreadRows(page)) === 3, 'all are unread')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await until(async () => (await focused(page)) === entries[1], 'the next is selected')
  await page.waitForSelector(`[data-row="${entries[2]}"][data-sign=none]`)
  await page.waitForSelector(`[data-row="${entries[1]}"][data-sign=none]`)
  await page.keyboard.press('u')
  await page.waitForSelector(`[data-row="${entries[1]}"][data-sign=unread]`)
  await page.keyboard.press('U')
  await until(async () => (await page.url()).includes('view=unread'), 'the address has it')
  await until(async () => (await titles(page)).length === 2, 'only what is unread is listed')
  await page.keyboard.press('U')
  await until(async () => (await titles(page)).length === 3, 'all are listed')
  expect(ann.complaints).toEqual([])
})

test('a row can be snoozed, found among the snoozed, and brought back by keyboard', async () => {
  const { server, entries } = await withPushes(2)
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await page.waitForSelector(`[data-row="${entries[1]}"]`)
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await page.waitForSelector('dialog >> text="Tomorrow"')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=/^Snoozed until/')
  await page.waitForSelector(`[data-row="${entries[1]}"]`, { state: 'detached' })
  await page.click('[aria-label="Filter"]')
  await page.click('text="Snoozed and put away"')
  await page.waitForSelector(`[data-row="${entries[1]}"] >> text=/until/`)
  // This list doesn't show the inbox's unread count.
  expect(await page.locator('header >> text=/unread/').count()).toBe(0)
  await page.click(`[data-row="${entries[1]}"]`)
  await page.keyboard.press('h')
  await page.click('text="Bring back now"')
  await page.waitForSelector('text="No snoozed messages."')
  await page.click('button >> text="Clear filters"')
  await page.waitForSelector(`[data-row="${entries[1]}"]`)
  expect(ann.complaints).toEqual([])
})

test('several rows can be selected by keyboard, and one undo reverts all of them', async () => {
  const { server } = await withPushes(4)
  await mail(server, 'Only words')
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await until(async () => (await titles(page)).length === 5, 'all are listed')
  expect(await page.locator('[data-choose]').count()).toBe(0)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('J')
  await page.keyboard.press('J')
  await page.waitForSelector('text="3 selected"')
  await page.click('text="Trash 2, put away 1"')
  await until(async () => (await titles(page)).length === 2, 'three are away')
  await page.waitForSelector('text="Moved 2 to trash, put 1 away"')
  await page.keyboard.press('z')
  await until(async () => (await titles(page)).length === 5, 'three are back')
  await page.keyboard.press('Control+a')
  await page.waitForSelector('text="5 selected"')
  await page.click('button >> text=/^Mark [0-9]+ read/')
  await until(async () => (await unreadRows(page)) === 0, 'all are read')
  await page.keyboard.press('Escape')
  expect(await page.locator('[data-choose]').count()).toBe(0)
  expect(ann.complaints).toEqual([])
})

test('by mouse: marks as read, trashes, opens a new tab with Ctrl+click, and selects', async () => {
  const { server, entries } = await withPushes(3)
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  const row = page.locator(`[data-row="${entries[1]}"]`)
  await row.hover()
  await page.click(`[data-act=read][data-of="${entries[1]}"]`)
  await page.waitForSelector(`[data-row="${entries[1]}"][data-sign=none]`)
  await page.click(`[data-act=away][data-of="${entries[1]}"]`)
  await row.waitFor({ state: 'detached' })
  await page.click(`[data-row="${entries[0]}"]`, { modifiers: ['Control'] })
  await otherTab(ann.context, `/inbox/${entries[0]}`)
  // The push was read in the other tab.
  await page.waitForSelector(`[data-row="${entries[0]}"][data-sign=none]`)
  expect(await openPath(page)).toBe('/inbox')
  await page.click('[aria-label="More"]')
  await page.click('text="Select messages"')
  await page.click(`[data-choose="${entries[0]}"]`)
  await page.waitForSelector('text="1 selected"')
  expect(ann.complaints).toEqual([])
})

/** Types a space as soon as the address has the text before it, and before the page has rendered that text. */
const TYPE_WHEN_FOLLOWED = `(() => {
  const replaced = history.replaceState
  history.replaceState = function (...given) {
    replaced.apply(this, given)
    history.replaceState = replaced
    document.execCommand('insertText', false, ' ')
  }
})()`

test('search and filters are in the address, show what they find, and can be saved as a view', async () => {
  const { server } = await withPushes(3)
  await mail(server, 'Only words')
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await until(async () => (await titles(page)).length === 4, 'all are listed')
  await page.keyboard.press('/')
  // A letter typed while the address updates is not lost.
  await page.evaluate(TYPE_WHEN_FOLLOWED)
  await page.keyboard.insertText('report')
  await page.waitForURL((url) => url.search.startsWith('?q=report'))
  await page.keyboard.type('2')
  await until(async () => (await titles(page)).join() === 'Report 2', 'one is found')
  expect(page.url()).toContain('q=report')
  await page.keyboard.press('Escape')
  await until(async () => (await titles(page)).length === 4, 'the search is over')
  await page.goto(`${server.url}/inbox?agent=mica`)
  await until(async () => (await titles(page)).join() === 'Only words', 'one agent')
  await page.click('text="Save view"')
  await page.waitForSelector('dialog input')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text="Saved as “From mica”"')
  // The suggested name is selected, so typing replaces it.
  await page.goto(`${server.url}/inbox?q=words`)
  await page.click('text="Save view"')
  expect(await page.inputValue('dialog input')).toBe('Words')
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text="Saved as “Mine”"')
  await until(async () => {
    const { body } = await op(server, 'person-settings', {})
    return JSON.stringify(body).includes('"search":"agent=mica"')
  }, 'the server has it')
  await page.goto(`${server.url}/inbox?agent=nobody&view=unread`)
  await page.waitForSelector('text="No unread messages from nobody."')
  await page.goto(`${server.url}/inbox?group=workspace`)
  await page.waitForSelector('h2 >> text=/^Thesis/')
  await page.waitForSelector('h2 >> text=/^No workspace/')
  expect(ann.complaints).toEqual([])
})

test('what needs the person is on top, listed once, and gone once answered', async () => {
  const { server } = await withPushes(1)
  const question = await mail(server, 'Which replica?', 'question')
  const requests: string[] = []
  for (const title of ['One', 'Two', 'Three', 'Four']) requests.push(await ask(server, { title }))
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  await page.waitForSelector('section[aria-labelledby=needs-title] >> text="Show all 5"')
  expect(await page.locator('[aria-labelledby=needs-title] [data-row]').count()).toBe(3)
  await page.click('text="Show all 5"')
  for (const id of [question.thread_id, ...requests]) {
    expect(await page.locator(`[data-row="${id}"]`).count()).toBe(1)
  }
  await page.click(`[data-row="${requests[0]}"]`)
  await page.waitForSelector('h2 >> text="One"')
  const answer = { to: 'mica', type: 'answer', body: 'replica-b', in_reply_to: question.id }
  await op(server, 'mail-send', answer)
  for (const request of requests) await op(server, 'cancel-request', { request }, { as: 'ledger' })
  await page.waitForSelector('[aria-labelledby=needs-title]', { state: 'detached' })
  expect(ann.complaints).toEqual([])
})

test('axe finds nothing, in both themes, on desktop and phone', async () => {
  const { server, entries } = await withPushes(2)
  await mail(server, 'Which replica?', 'question')
  await ask(server, { risk: 'high' })
  const ann = await visitor({ bypassCSP: true, reducedMotion: 'reduce' })
  await everyLook(ann, server, {
    '/inbox': '[data-row]',
    [`/inbox/${entries[0]}`]: 'h2 >> text="Report 1"',
    '/inbox?view=unread&agent=thesis&q=report': 'text="Clear filters"',
    '/inbox?view=snoozed': 'text="No snoozed messages."',
  })
})

test('on a phone a row has a menu, and going back restores the scroll position', async () => {
  const { server, entries } = await withPushes(14)
  const ann = await visitor({
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  await signIn(ann, server)
  const { page } = ann
  const row = page.locator(`[data-row="${entries[2]}"]`)
  await row.scrollIntoViewIfNeeded()
  const before = await row.boundingBox()
  expect(before?.height).toBe(72)
  await row.tap()
  await page.waitForSelector('h2 >> text="Report 3"')
  await page.goBack()
  await row.waitFor()
  await until(async () => (await row.boundingBox())?.y === before?.y, 'it is where it was')
  await page.locator(`[data-act=menu][data-of="${entries[2]}"]`).tap()
  await page.click('dialog >> text="Move to trash"')
  await row.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  expect(ann.complaints).toEqual([])
})

const MANY = { pushes: 20_000, days: 74 }

/** Counts React's changes to the list. */
const COUNT_CHANGES = `
  window.changes = 0
  new MutationObserver(() => { window.changes += 1 }).observe(
    document.querySelector('[aria-labelledby=inbox-title]'), { childList: true, subtree: true })`

/** Scrolls 24,000 pixels in 100 frames. */
const SCROLL_FAR = `(async () => {
  const box = document.querySelector('[aria-labelledby=inbox-title] > [aria-busy]')
  for (let y = 0; y <= 24_000; y += 240) {
    box.scrollTop = y
    await new Promise(requestAnimationFrame)
  }
})()`

let long: Running
beforeAll(async () => {
  const path = join(folder(), 'store.db')
  await fillDesk(path, MANY)
  long = await start({ db: [path] })
})

test('a list of 20,000 rows renders only the rows near the viewport, and jumps to its end', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long)
  const { page } = ann
  await page.waitForSelector(`[data-row="${pushIdOf(MANY.pushes)}"]`)
  const list = page.locator('[aria-labelledby=inbox-title]')
  const nodes = () => list.evaluate((element) => element.querySelectorAll('*').length)
  expect(await nodes()).toBeLessThanOrEqual(500)
  await page.evaluate(COUNT_CHANGES)
  await page.evaluate(SCROLL_FAR)
  expect(await nodes()).toBeLessThanOrEqual(500)
  expect(await page.evaluate('window.changes')).toBeLessThanOrEqual(240)
  await page.keyboard.press('j')
  await page.keyboard.press('G')
  await until(async () => (await focused(page)) === pushIdOf(1), 'the last row has the focus')
  await page.keyboard.press('k')
  await until(async () => (await focused(page)) === pushIdOf(2), 'K goes up from there')
  await page.keyboard.press('Home')
  await until(
    async () => (await focused(page)) === pushIdOf(MANY.pushes),
    'the first row has the focus',
  )
  expect(ann.complaints).toEqual([])
})

/** Scrolls until this many more rows have been visible, and returns them in order. */
const scrollOver = (rows: number, step: number) => `(async () => {
  const box = document.querySelector('[aria-labelledby=inbox-title] > [aria-busy]')
  const seen = new Set()
  for (let waited = 0; seen.size < ${rows} && waited < 60; waited += 1) {
    const before = seen.size
    for (const row of box.querySelectorAll('[data-row]')) {
      const { top, bottom } = row.getBoundingClientRect()
      if (top >= 100 && bottom <= innerHeight) seen.add(Number(row.dataset.row.slice(-6)))
    }
    if (seen.size > before) waited = 0
    box.scrollTop += ${step}
    // One frame to scroll, one to render.
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
  }
  return [...seen].sort((a, b) => b - a)
})()`

/** Keeps scrolling to the end of the loaded rows until this many have passed, then goes back up near the start. */
const scrollFarAndBack = (rows: number) => `(async () => {
  const box = document.querySelector('[aria-labelledby=inbox-title] > [aria-busy]')
  const last = () => Number([...box.querySelectorAll('[data-row]')].at(-1).dataset.row.slice(-6))
  const first = last()
  while (first - last() < ${rows}) {
    box.scrollTop = box.scrollHeight
    await new Promise(requestAnimationFrame)
  }
  box.scrollTop = 6000
  await new Promise((resolve) => setTimeout(resolve, 200))
})()`

test('scrolling down and far back up neither skips nor repeats a row', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long)
  const { page } = ann
  await page.waitForSelector(`[data-row="${pushIdOf(MANY.pushes)}"]`)
  const isWhole = (seen: number[]) => seen.every((one, at) => at === 0 || seen[at - 1] === one + 1)
  const down = (await page.evaluate(scrollOver(350, 600))) as number[]
  expect(down.length).toBeGreaterThanOrEqual(350)
  expect(isWhole(down)).toBe(true)
  // That's more rows than the page keeps, so the ones above are fetched again.
  await page.evaluate(scrollFarAndBack(2500))
  const up = (await page.evaluate(scrollOver(350, -600))) as number[]
  expect(up.length).toBeGreaterThanOrEqual(350)
  expect(isWhole(up)).toBe(true)
  await page.evaluate(scrollOver(5000, -6000))
  await page.waitForSelector(`[data-row="${pushIdOf(MANY.pushes)}"]`)
  expect(ann.complaints).toEqual([])
})

test('in a scrolled list, a change elsewhere updates the visible rows', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long)
  const { page } = ann
  await page.waitForSelector(`[data-row="${pushIdOf(MANY.pushes)}"]`)
  await page.evaluate(scrollOver(200, 600))
  const row = page.locator('[role=group] [data-row][data-sign=unread]').first()
  const id = await row.getAttribute('data-row')
  await op(long, 'push-read', { entries: [String(id)] })
  await page.waitForSelector(`[data-row="${id}"][data-sign=none]`)
  expect(ann.complaints).toEqual([])
})

test('a link to an old message scrolls the list to it', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long, `/inbox/${pushIdOf(4321)}`)
  const row = ann.page.locator(`[data-row="${pushIdOf(4321)}"][aria-current]`)
  await row.waitFor()
  await until(async () => {
    const box = await row.boundingBox()
    return box !== null && box.y > 0 && box.y < 900
  }, 'it is in view')
  await ann.page.keyboard.press('j')
  await until(async () => (await focused(ann.page)) === pushIdOf(4320), 'J goes on from there')
})

test('holding J does not open or mark rows along the way', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long)
  const { page } = ann
  await page.waitForSelector(`[data-row="${pushIdOf(MANY.pushes)}"]`)
  const shown: string[] = []
  page.on('request', (request) => {
    if (/push-(show|read)/.test(request.url())) shown.push(request.url())
  })
  await page.keyboard.press('j')
  await page.keyboard.down('j')
  for (let n = 0; n < 150; n++) await page.keyboard.down('j')
  await page.keyboard.up('j')
  await until(async () => {
    const id = await focused(page)
    return id !== pushIdOf(MANY.pushes) && (await openPath(page)).endsWith(String(id))
  }, 'the row where it rests is open')
  expect(Number((await focused(page))?.slice(-6))).toBeLessThan(MANY.pushes - 50)
  expect(shown.filter((url) => url.includes('push-read'))).toEqual([])
  expect(shown.length).toBeLessThan(20)
})

test('many new messages do not move the scroll position or the selection', async () => {
  const ann = await visitor(DESK)
  await signIn(ann, long)
  const { page } = ann
  await op(long, 'agent-register', { agent: 'mica', may_write_to_user: true })
  await page.goto(`${long.url}/inbox/${pushIdOf(15_000)}`)
  const row = page.locator(`[data-row="${pushIdOf(15_000)}"][aria-current]`)
  await row.waitFor()
  await page.waitForSelector('h2 >> text="Report number 15000"')
  const before = await row.boundingBox()
  for (let n = 1; n <= 30; n++) await mail(long, `News ${n}`)
  await mail(long, 'Which one?', 'question')
  await page.waitForSelector('button >> text="30 new"')
  expect(await row.boundingBox()).toEqual(before as NonNullable<typeof before>)
  expect(await openPath(page)).toBe(`/inbox/${pushIdOf(15_000)}`)
  await page.keyboard.press('.')
  await page.waitForSelector('[data-row] >> text="News 30"')
  await page.waitForSelector('button >> text="30 new"', { state: 'detached' })
  await mail(long, 'At the top')
  await page.waitForSelector('[data-row] >> text="At the top"')
  expect(await openPath(page)).toBe(`/inbox/${pushIdOf(15_000)}`)
  expect(ann.complaints).toEqual([])
})

test('the first row needs only one response', async () => {
  const { server, entries } = await withPushes(1)
  const ann = await visitor(DESK)
  await signIn(ann, server)
  const { page } = ann
  let lists = 0
  await page.route('**/api/**', (route) => {
    // Only the first page of the list gets a response. Other requests hang.
    const isHead = route.request().postData() === '{"with_needs_you":true,"limit":100}'
    lists += isHead ? 1 : 0
    return isHead ? route.continue() : undefined
  })
  await page.goto(`${server.url}/inbox`)
  await page.waitForSelector(`[data-row="${entries[0]}"]`)
  expect(lists).toBe(1)
})
