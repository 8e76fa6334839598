// Accessible pages: in both themes, on desktop and phone, by keyboard, with a screen reader.
import { beforeAll, expect, test } from 'bun:test'
import { source } from 'axe-core'
import { op, type Running, servers } from '../server/serving.ts'
import { lookAt } from './looking.ts'
import { signIn as signInAt } from './signed-in.ts'
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
  test(`${name}: axe finds nothing, and nothing is cut off`, async () => {
    // The page's policy doesn't allow outside scripts, and axe is one.
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

/** Each screen, and what it shows when it is empty. */
const SCREENS: Record<string, string> = {
  inbox: '#first-title',
  approvals: 'text="Nothing is waiting for your decision."',
  threads: 'text="No work is waiting for an answer."',
  agents: '#first-title',
  history: 'text="No messages yet."',
  trash: 'text="The trash is empty."',
  notifications: 'text="No notifications yet."',
  settings: 'h1 >> text="Settings"',
}
const LOOKER = { bypassCSP: true, reducedMotion: 'reduce' } as const

test('empty screens', async () => {
  const empty = await start()
  const { page } = await visitor(LOOKER)
  await signInAt({ page }, empty)
  for (const [screen, sign] of Object.entries(SCREENS)) {
    await page.goto(`${empty.url}/${screen}`)
    await page.locator(sign).first().waitFor({ state: 'attached' })
    await lookAt({ page }, `${screen}, empty`)
  }
})

test('screens whose server refuses, with and without an open item', async () => {
  const { page } = await visitor(LOOKER)
  await signInAt({ page }, server)
  await page.route('**/api/ops/**', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'it broke' } } }),
  )
  for (const screen of Object.keys(SCREENS).filter((one) => one !== 'settings')) {
    await page.goto(`${server.url}/${screen}`)
    await page.locator('[role=alert]', { hasText: 'it broke' }).first().waitFor()
    await lookAt({ page }, `${screen}, refused`)
    await page.goto(`${server.url}/${screen}/thr_none`)
    await page.getByText('it broke').first().waitFor({ state: 'attached' })
    await lookAt({ page }, `${screen}, one thing refused`)
  }
})

test('every dialog that a key opens', async () => {
  const { body } = await op(server, 'push', { comments: 'Put away' }, { as: 'builder' })
  await op(server, 'push-trash', { entries: [String(body.entry_id)] })
  const { page } = await visitor(LOOKER)
  await signInAt({ page }, server)
  const dialogs: [string, string, (visitor: Pick<Visitor, 'page'>) => Promise<void>][] = [
    ['inbox', '[data-row]', async ({ page }) => page.keyboard.press('?')],
    ['inbox', '[data-row]', async ({ page }) => page.keyboard.press('Control+k')],
    ['history', '[data-row]', async ({ page }) => page.keyboard.press('e')],
    ['trash', '[data-row]', async ({ page }) => page.click('text="Empty…"')],
    [`trash/${body.entry_id}`, '#item-title', async ({ page }) => page.keyboard.press('Delete')],
  ]
  for (const [at, sign, open] of dialogs) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${server.url}/${at}`)
    await page.locator(sign).first().waitFor()
    await open({ page })
    await page.waitForSelector('dialog[open] h2, dialog[open] [role=option]')
    await lookAt({ page }, `${at}, dialog`)
  }
})
