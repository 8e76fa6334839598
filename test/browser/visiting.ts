// A browser for a test file: one Chromium, and for every visitor a profile of its own. Whatever a page of
// ours makes the browser complain of is a failure.

import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium, PATIENCE_MS } from '../tools/chromium.ts'
import { until } from '../worlds/world.ts'

export type Visitor = {
  page: Page
  context: BrowserContext
  /** The browser's complaints so far. */
  complaints: string[]
}

export function visitors() {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  // A page that nobody looks at any more would go on listening and drawing beside the next test.
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
    page.on('console', (said) => {
      if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
    })
    return { page, context, complaints }
  }
}

/**
 * Waits for another tab with this address. The browser itself is asked: now and then Chromium does not name the first
 * document of a tab that opens by a click, and Playwright tells of no tab before that.
 */
export async function otherTab(context: BrowserContext, path: string): Promise<void> {
  const session = await (context.browser() as Browser).newBrowserCDPSession()
  await until(async () => {
    const { targetInfos } = await session.send('Target.getTargets')
    return targetInfos.some(({ type, url }) => type === 'page' && url.endsWith(path))
  }, `a tab at ${path}`)
  await session.detach()
}
