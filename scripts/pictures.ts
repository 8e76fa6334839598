// Takes the pictures in docs/images: the main screens of the web app with the demo, in both themes, on a desktop and on
// a phone. The demo is static and both clocks are fixed, so a picture changes only when the app does.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { EXPORTED_AT as AT, runDemo } from '../src/bin/demo/demo.ts'
import type { ServerAddress } from '../src/core/server/server.ts'
import { launchChromium, obtainChromium } from '../test/tools/chromium.ts'
import { ROOT } from './run-step.ts'

const FOLDER = join(ROOT, 'docs/images')
const MOST_BYTES = 2_000_000
const THEMES = ['light', 'dark'] as const
const SIZES = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
}
type Size = keyof typeof SIZES

/** A screen is opened by clicking the row with this text, or by its address. */
type Shot = { path: string; row?: string; sign: string; sizes?: Size[] }

const SHOTS: Record<string, Shot> = {
  inbox: { path: '/inbox', row: 'The move takes 8 minutes', sign: 'text=Before the real one' },
  approval: {
    path: '/approvals',
    row: 'Try declined cards more often',
    sign: 'text=billing.retries',
  },
  command: { path: '/approvals', row: 'Delete 63 preview databases', sign: 'text=previews drop' },
  threads: { path: '/threads', row: 'Take the old export', sign: 'text=Keep it for one release' },
  channel: { path: '/channels', row: 'supplier-audit', sign: 'text=which clause should' },
  agents: { path: '/agents', row: 'harbor', sign: 'h2' },
  history: { path: '/history', sign: '[data-row]', sizes: ['desk'] },
  list: { path: '/inbox', sign: '[data-row]', sizes: ['phone'] },
  queue: { path: '/approvals', sign: '[data-row]', sizes: ['phone'] },
}

async function main(only: string[]): Promise<void> {
  const found = await obtainChromium()
  if ('missing' in found) throw new Error(found.missing)
  process.env.MAILROOM_TEST_CHROMIUM = found.path
  const over = new AbortController()
  const browser = await launchChromium()
  let demo: Promise<unknown> = Promise.resolve()
  try {
    const serving = await new Promise<ServerAddress>((resolve, reject) => {
      const log = (text: string) => process.stderr.write(text)
      const life = { signal: over.signal, onServing: resolve }
      demo = runDemo({ log, stillAt: AT }, WISH, life)
      demo.catch(reject)
    })
    if (only.length === 0) rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    await takeAll(browser, serving, only)
  } finally {
    await browser.close()
    over.abort()
    await demo
  }
  const bytes = readdirSync(FOLDER).reduce(
    (sum, name) => sum + statSync(join(FOLDER, name)).size,
    0,
  )
  console.log(
    `pictures: ${readdirSync(FOLDER).length} in docs/images, ${Math.round(bytes / 1000)} kB`,
  )
  if (bytes > MOST_BYTES) throw new Error(`they take ${bytes} bytes; at most ${MOST_BYTES}`)
}

const WISH = {
  host: '127.0.0.1',
  port: 0,
  socket: undefined,
  auth: 'local',
  allowHosts: [],
  logs: 'problems',
  wakes: {},
  isDev: false,
} as const

async function takeAll(browser: Browser, serving: ServerAddress, only: string[]): Promise<void> {
  const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' })
  const page = await context.newPage()
  await page.clock.setFixedTime(AT)
  await page.goto(serving.stores[0]?.sign_in ?? '')
  await page.click('button')
  await page.waitForSelector('[data-row]')
  for (const [name, shot] of Object.entries(SHOTS)) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const size of shot.sizes ?? (Object.keys(SIZES) as Size[])) {
      await page.setViewportSize(SIZES[size])
      await page.goto(serving.url + shot.path)
      if (shot.row !== undefined) await open(page, shot.row)
      await page.locator(shot.sign).first().waitFor({ state: 'attached' })
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await take(page, `${name}-${colorScheme}${size === 'phone' ? '-phone' : ''}`)
      }
    }
  }
}

async function open(page: Page, words: string): Promise<void> {
  const row = page.locator('[data-row]', { hasText: words }).first()
  await row.waitFor()
  await row.click()
  // The entry is marked read a moment later. The counts don't agree until then.
  const unread = page.locator('[data-row][aria-current="true"][data-sign="unread"]')
  await unread.first().waitFor({ state: 'detached' })
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(SETTLED)
  const line = await page.context().newCDPSession(page)
  const { data } = await line.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  await line.detach()
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** Waits for the fonts and images, and for pending frames to be drawn. */
const SETTLED = `(async () => {
  await document.fonts.ready
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  for (let n = 0; n < 4; n++) await frame()
})()`

await main(process.argv.slice(2))
