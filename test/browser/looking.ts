// Screens that everybody can use: axe finds nothing and nothing is cut off, in both themes, on a desk and on a phone.

import { expect } from 'bun:test'
import { source } from 'axe-core'
import type { Running } from '../server/serving.ts'
import { extentAsked } from '../worlds/extent.ts'
import { signIn } from './signed-in.ts'
import type { Visitor } from './visiting.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 320, height: 640 },
]

const ALL_RULES = "{ resultTypes: ['violations'] }"
const COLOURS = "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }"

/** Another theme changes colours and nothing else, so by the rule only those are looked at in the second. */
const THEMES = [
  ['light', ALL_RULES],
  ['dark', extentAsked() === 'full' ? ALL_RULES : COLOURS],
] as const

/** The addresses to look at, and what each shows when it is ready. */
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

/** The page as it is now, in both themes and sizes. */
export async function lookAt({ page }: Pick<Visitor, 'page'>, what: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) {
    // Later documents of the page have it from the beginning.
    await page.addInitScript(source)
    await page.evaluate(source)
  }
  for (const [colorScheme, options] of THEMES) {
    await page.emulateMedia({ colorScheme })
    for (const size of SIZES) {
      await page.setViewportSize(size)
      const ids = await page.evaluate(`axe.run(${options}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect({ what, colorScheme, ids, width }).toEqual({
        ...{ what, colorScheme, ids: [], width: size.width },
      })
    }
  }
}
