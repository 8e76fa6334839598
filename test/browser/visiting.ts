// Gives a test file one Chromium, with a separate profile per visitor. `complaints` collects the errors and warnings
// our pages cause.

import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium, PATIENCE_MS } from '../tools/chromium.ts'
import { until } from '../worlds/world.ts'

export type Visitor = {
  page: Page
  context: BrowserContext
  /** The browser's errors and warnings so far. */
  complaints: string[]
}

export function visitors() {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  // A page left open would keep receiving events and rendering during the next test.
  let contexts: BrowserContext[] = []
  afterEach(async () => {
    const over = contexts
    contexts = []
    await Promise.all(over.map((context) => context.close()))
  })
  return async (options: BrowserContextOptions = {}): Promise<Visitor> => {
    const context = await (browser as Browser).newContext(options)
    contexts.push(context)
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text())
    })
    return { page, context, complaints }
  }
}

/**
 * Waits for another tab with this address. It asks the browser itself, because Chromium sometimes doesn't report the
 * first document of a tab opened by a click, and until then Playwright doesn't know the tab.
 */
export async function otherTab(context: BrowserContext, path: string): Promise<void> {
  const session = await (context.browser() as Browser).newBrowserCDPSession()
  await until(async () => {
    const { targetInfos } = await session.send('Target.getTargets')
    return targetInfos.some(({ type, url }) => type === 'page' && url.endsWith(path))
  }, `a tab at ${path}`)
  await session.detach()
}
