// Measures one visit to the web app in a fresh profile: the load, a long scroll, keys, opening an entry, and a message
// that arrives.

import type { Browser, CDPSession, Page } from 'playwright-core'
import { type Client, connect } from '../src/index.ts'
import { median } from './numbers.ts'
import type { Serving } from './serving.ts'

export type PageTimes = Record<
  'load' | 'firstRow' | 'frame' | 'nodes' | 'key' | 'open' | 'live' | 'heap',
  number
>

const SIZE = { width: 1440, height: 900 }
/** 67 pixels per frame are 4,000 per second at 60 frames per second. */
const FRAME_PX = 67
const FRAMES = 240
const KEYS = 12
/** How many times a long scroll jumps to the end of the loaded rows. Each jump loads the next page. */
const STOPS = 150
const IDLE_MS = 400

export async function visitPage(browser: Browser, server: Serving, db: string): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: SIZE })
  const page = await context.newPage()
  const inbox = await connect(db)
  try {
    // The link printed at startup works only once, so every later visit gets a new one.
    const { link } = await inbox.signIn({ server: server.url })
    await page.goto(link ?? server.signIn)
    await page.click('button')
    await page.waitForSelector('[data-row]')
    await page.goto('about:blank')
    const line = await context.newCDPSession(page)
    await line.send('Performance.enable', { timeDomain: 'threadTicks' })
    const begin = performance.now()
    const before = await busyMs(line)
    await page.goto(`${server.url}/inbox`)
    await page.waitForSelector('[data-row]')
    const firstRow = performance.now() - begin
    const load = (await whenIdle(line)) - before
    const frame = await scroll(page, line)
    const nodes = await scrollThrough(page)
    await whenIdle(line)
    await line.send('HeapProfiler.collectGarbage')
    const { usedSize } = await line.send('Runtime.getHeapUsage')
    await page.goto(`${server.url}/inbox`)
    await page.waitForSelector('[data-row]')
    await whenIdle(line)
    const key = await pressKeys(page, line)
    const open = await openEntries(page, line, inbox)
    await page.goto(`${server.url}/inbox`)
    const live = await hearOfIt(page, () =>
      inbox.push({ agent: 'sender_1', comments: `News of ${new Date().toISOString()}` }),
    )
    return { load, firstRow, frame, nodes, key, open, live, heap: usedSize / 1e6 }
  } finally {
    await inbox.close()
    await context.close()
  }
}

/** The processor time of the page's main thread so far, minus the work that the bench itself causes. */
async function busyMs(line: CDPSession): Promise<number> {
  const { metrics } = await line.send('Performance.getMetrics')
  const seconds = (wanted: string) => {
    const found = metrics.find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(`this browser does not count ${wanted}`)
    return found.value
  }
  return (seconds('TaskDuration') - seconds('DevToolsCommandDuration')) * 1000
}

/** Waits until the main thread has been almost idle for a while; returns the processor time it had used by then. */
async function whenIdle(line: CDPSession): Promise<number> {
  let last = await busyMs(line)
  for (;;) {
    await Bun.sleep(IDLE_MS)
    const now = await busyMs(line)
    if (now - last < IDLE_MS * 0.02) return now
    last = now
  }
}

const LIST = `(() => {
  let at = document.querySelector('[data-row]')
  while (at !== null && at.scrollHeight <= at.clientHeight + 4) at = at.parentElement
  return at ?? document.scrollingElement
})()`

async function scroll(page: Page, line: CDPSession): Promise<number> {
  const before = await busyMs(line)
  await page.evaluate(`(async () => {
    const list = ${LIST}
    for (let n = 0; n < ${FRAMES}; n++) {
      list.scrollTop += ${FRAME_PX}
      await new Promise((next) => requestAnimationFrame(next))
    }
  })()`)
  return ((await busyMs(line)) - before) / FRAMES
}

/** Scrolls far down the list. Returns the largest number of nodes that the list had along the way. */
async function scrollThrough(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const list = ${LIST}
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    let most = 0
    const last = () => [...list.querySelectorAll('[data-row]')].at(-1).dataset.row
    for (let n = 0; n < ${STOPS}; n++) {
      const before = last()
      list.scrollTop = list.scrollHeight
      for (let frames = 0; frames < 2 || (last() === before && frames < 60); frames++) await frame()
      most = Math.max(most, list.querySelectorAll('*').length)
    }
    return most
  })()`)
}

/**
 * Whether another row is selected once the frame for the next key is painted. The row's item appears in a later frame.
 */
const PAINTED = `(() => {
  const selected = () => document.querySelector('[data-row][aria-current="true"]')?.dataset.row
  const before = selected()
  globalThis.painted = new Promise((done) => {
    const look = () => setTimeout(() => done(selected() !== before))
    addEventListener('keydown', () => requestAnimationFrame(look), { once: true, capture: true })
  })
})()`

async function pressKeys(page: Page, line: CDPSession): Promise<number> {
  const times: number[] = []
  await page.keyboard.press('j')
  await page.waitForSelector('[data-row][aria-current="true"]')
  for (let n = 0; n < KEYS; n++) {
    await page.evaluate(PAINTED)
    await whenIdle(line)
    const before = await busyMs(line)
    const [isSelected] = await Promise.all([
      page.evaluate('globalThis.painted'),
      page.keyboard.press('j'),
    ])
    times.push((await busyMs(line)) - before)
    if (isSelected !== true) throw new Error('the row was not selected in the frame of the key')
  }
  return median(times)
}

/** Row titles are unique, so the title of the open item shows which row it belongs to. */
async function openEntries(page: Page, line: CDPSession, inbox: Client): Promise<number> {
  const times: number[] = []
  const { rows: listed } = await inbox.deskList({ limit: 6 })
  const titleOf = new Map(listed.map(({ thread_id, title }) => [thread_id, title]))
  const rows = page.locator('[data-row]')
  for (let n = 0; n < 6; n++) {
    await whenIdle(line)
    const row = rows.nth(n)
    const title = titleOf.get((await row.getAttribute('data-row')) ?? '')
    // Get the position first, because that makes the browser lay out the page.
    const box = await row.boundingBox()
    if (box === null) throw new Error('a row of the list has no place')
    const before = await busyMs(line)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    // The page's security policy forbids evaluating code, so the wait uses a selector.
    await page.waitForSelector(`#item-title:text-is(${JSON.stringify(title)})`)
    times.push((await busyMs(line)) - before)
  }
  return median(times)
}

async function hearOfIt(page: Page, happen: () => Promise<{ entry_id: string }>): Promise<number> {
  // Reload first: a list that a person is reading doesn't shift, but one that was just opened does.
  await page.reload()
  await page.waitForSelector('[data-row]')
  await page.waitForSelector('text=/^Live/')
  const begin = performance.now()
  const { entry_id } = await happen()
  await page.waitForSelector(`[data-row="${entry_id}"]`)
  return performance.now() - begin
}
