// Screens that everybody can use: axe finds nothing and nothing is cut off, in both themes, on a desk and on a phone.

import { expect } from 'bun:test'
import { source } from 'axe-core'
import type { Running } from '../server/serving.ts'
import { signIn } from './signed-in.ts'
import type { Visitor } from './visiting.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 320, height: 640 },
]

/** The addresses to look at, and what each shows when it is ready. */
export async function everyLook(
  { page }: Pick<Visitor, 'page'>,
  server: Running,
  shown: Record<string, string>,
): Promise<void> {
  await signIn({ page }, server)
  for (const [path, sign] of Object.entries(shown)) {
    await page.goto(server.url + path)
    await page.locator(sign).first().waitFor({ state: 'attached' })
    await lookAt({ page }, path)
  }
}

/** The page as it is now, in both themes and sizes. */
export async function lookAt({ page }: Pick<Visitor, 'page'>, what: string): Promise<void> {
  await page.evaluate(source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const size of SIZES) {
      await page.setViewportSize(size)
      const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
        violations: { id: string; nodes: { html: string }[] }[]
      }
      const ids = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect({ what, colorScheme, ids, width }).toEqual({
        ...{ what, colorScheme, ids: [], width: size.width },
      })
    }
  }
}
