// Checks a page's accessibility: axe finds nothing and nothing is cut off, in both themes, on desktop and phone.

import { expect } from 'bun:test'
import { source } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Running } from '../server/serving.ts'
import { extentAsked } from '../worlds/extent.ts'
import { signIn } from './signed-in.ts'
import type { Visitor } from './visiting.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 320, height: 640 }

const ALL_RULES = "{ resultTypes: ['violations'] }"
const COLOURS = "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }"

const isFull = extentAsked() === 'full'

/** A theme changes only colors, so by default axe runs once per theme, at different sizes. */
const LOOKS = [
  { colorScheme: 'light', size: DESKTOP, axe: ALL_RULES },
  { colorScheme: 'light', size: PHONE, axe: isFull ? ALL_RULES : null },
  { colorScheme: 'dark', size: DESKTOP, axe: isFull ? ALL_RULES : null },
  { colorScheme: 'dark', size: PHONE, axe: isFull ? ALL_RULES : COLOURS },
] as const

/** `shown` maps each address to a selector that appears when its page is ready. */
export async function everyLook(
  { page }: Pick<Visitor, 'page'>,
  server: Running,
  shown: Record<string, string>,
): Promise<void> {
  for (const [at, [path, sign]] of Object.entries(shown).entries()) {
    if (at === 0) await signIn({ page }, server, path)
    else await page.goto(server.url + path)
    await page.locator(sign).first().waitFor({ state: 'attached' })
    await lookAt({ page }, path)
  }
}

/** Checks the page in its current state. */
export async function lookAt({ page }: Pick<Visitor, 'page'>, what: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) {
    // Injects axe into this document and those the page loads later.
    await page.addInitScript(source)
    await page.evaluate(source)
  }
  for (const { colorScheme, size, axe } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    const ids = axe === null ? [] : await violationsIn(page, axe)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    const place = { what, colorScheme, width: size.width }
    expect({ ...place, ids, width }).toEqual({ ...place, ids: [] })
  }
}

function violationsIn(page: Page, options: string): Promise<unknown> {
  return page.evaluate(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`)
}
