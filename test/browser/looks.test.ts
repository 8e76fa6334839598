// Pages that everybody can use: in both themes, on a desk and on a phone, by keyboard, with a reader.
import { beforeAll, expect, test } from 'bun:test'
import { source } from 'axe-core'
import { op, type Running, servers } from '../server/serving.ts'
import { type Visitor, visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

const SIZES = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
]

let server: Running
let link = ''
beforeAll(async () => {
  server = await start()
  await op(server, 'agent-register', { agent: 'builder', may_write_to_user: true })
  const long = 'A-word-without-an-end'.repeat(9)
  const mail = { to: 'user', type: 'question', subject: long, body: 'Line\n'.repeat(40) + long }
  for (let n = 0; n < 21; n++) await op(server, 'mail-send', mail, { as: 'builder' })
  link = server.signIn
})

async function signIn({ page }: Visitor): Promise<void> {
  const { body } = await op(server, 'sign-in', { server: server.url })
  await page.goto(String(body.link))
  await page.click('button')
  await page.waitForSelector('[data-row]')
}

const PAGES: Record<string, (visitor: Visitor) => Promise<unknown>> = {
  'signed in': signIn,
  'a link': ({ page }) => page.goto(link),
  'not signed in': async ({ page }) => {
    await page.goto(server.url)
    await page.waitForSelector('text=How to sign in')
  },
  'nothing there': ({ page }) => page.goto(`${server.url}/nonsense`),
}

for (const [name, show] of Object.entries(PAGES)) {
  test(`${name}: nothing that axe finds, nothing cut off`, async () => {
    // Ours allows no script of others; the judge is one.
    const { page, ...one } = await visitor({ bypassCSP: true })
    await show({ page, ...one })
    await page.evaluate(source)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const size of SIZES) {
        await page.setViewportSize(size)
        const found = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
        const ids = found.violations.map(({ id }) => id)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect({ colorScheme, ids, width }).toEqual({ colorScheme, ids: [], width: size.width })
      }
    }
  })
}
