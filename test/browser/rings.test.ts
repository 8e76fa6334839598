// The focus ring around a row as the browser paints it: complete, in every list, light and dark.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

const ACCENTS = { light: [0x22, 0x55, 0xd5], dark: [0x79, 0xa2, 0xf9] }
const LISTS = ['inbox', 'approvals', 'threads', 'agents', 'history', 'trash', 'notifications']

/** Creates two rows in each list. */
async function fill(server: Running): Promise<void> {
  for (const name of ['One', 'Two']) {
    await ask(server, { title: name })
    for (const comments of [name, `${name}, of old`]) {
      const { body } = await op(server, 'push', { comments }, { as: 'harbor' })
      if (comments !== name) await op(server, 'push-trash', { entries: [body.entry_id] })
    }
    await op(server, 'notify', { message: name }, { as: 'harbor' })
    const sent = await op(server, 'send', { to: 'ledger', subject: name, body: name })
    const { thread_id: thread } = sent.body.thread as { thread_id: string }
    const blocked = { agent: 'ledger', thread, status: 'blocked', summary: `${name}?` }
    await op(server, 'claim', { agent: 'ledger', thread }, { as: 'ledger' })
    await op(server, 'update', blocked, { as: 'ledger' })
  }
}

/** The share of each of the four edges, from 0 to 1, that has two lines of the color. */
const MEASURE = `async ({ png, colour, margin }) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes]))
  const { width, height } = picture
  const canvas = new OffscreenCanvas(width, height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const { data } = canvas.getImageData(0, 0, width, height)
  const has = (x, y) => colour.every((one, at) => Math.abs(data[(y * width + x) * 4 + at] - one) < 8)
  const part = (length, at) => {
    let whole = 0
    for (let along = margin * 4; along < length - margin * 4; along++) {
      let lines = 0
      for (let deep = 0; deep < margin * 2; deep++) lines += at(along, deep) ? 1 : 0
      whole += lines >= 2 ? 1 : 0
    }
    return whole / (length - margin * 8)
  }
  return [
    part(width, (x, y) => has(x, y)),
    part(width, (x, y) => has(x, height - 1 - y)),
    part(height, (y, x) => has(x, y)),
    part(height, (y, x) => has(width - 1 - x, y)),
  ]
}`

const MARGIN = 4
/** Six, because the inbox's sixth row doesn't need anyone and follows another row that doesn't. */
const MOST_ROWS = 6

async function ringOf(page: Page, judge: Page, colour: number[]): Promise<number[]> {
  const box = await page.locator('[data-row]:focus').boundingBox()
  if (box === null) throw new Error('no row has the focus')
  const clip = {
    x: box.x - MARGIN,
    y: box.y - MARGIN,
    width: box.width + 2 * MARGIN,
    height: box.height + 2 * MARGIN,
  }
  const png = (await page.screenshot({ clip })).toString('base64')
  const input = JSON.stringify({ png, colour, margin: MARGIN })
  return (await judge.evaluate(`(${MEASURE})(${input})`)) as number[]
}

test('the focus ring is complete in every list, light and dark', async () => {
  const server = await start()
  await fill(server)
  const { page, context } = await visitor({ reducedMotion: 'reduce' })
  const judge = await context.newPage()
  await signIn({ page }, server)
  const seen: Record<string, unknown> = {}
  const whole: Record<string, unknown> = {}
  for (const list of LISTS) {
    await page.goto(`${server.url}/${list}`)
    await page.locator('[data-row]').nth(1).waitFor()
    const rows = Math.min(MOST_ROWS, await page.locator('[data-row]').count())
    for (let at = 0; at < rows; at++) {
      await page.keyboard.press('j')
      await page.locator('[data-row][aria-current]:focus').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const name = `${list} ${at} ${colorScheme}`
        seen[name] = await ringOf(page, judge, ACCENTS[colorScheme])
        whole[name] = [1, 1, 1, 1]
      }
    }
  }
  expect(seen).toEqual(whole)
})
