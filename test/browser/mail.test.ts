// Mail in the inbox: it's marked as read on arrival while the person is looking, and a long conversation is complete.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { start } = servers()
const visitor = visitors()

/** An agent that can write to the person again and again in one thread. */
async function writer(server: Running) {
  await op(server, 'agent-register', { agent: 'atlas', may_write_to_user: true })
  const write = async (body: string, in_reply_to?: string) => {
    const input = { to: 'user', type: 'status', subject: 'News', body, in_reply_to }
    const sent = await op(server, 'mail-send', input, { as: 'atlas' })
    return sent.body.message as { id: string; thread_id: string }
  }
  const { id, thread_id: thread } = await write('One')
  return { thread, write: (body: string) => write(body, id) }
}

async function unreadAt(server: Running): Promise<unknown> {
  return (await op(server, 'desk-list')).body.unread
}

/** Simulates a tab in the background, because a test's browser shows all tabs. */
async function show(page: Page, isVisible: boolean): Promise<void> {
  const state = isVisible ? 'visible' : 'hidden'
  await page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })()`)
}

test('new messages in an open thread are marked as read, but in a hidden tab only once it is shown', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { thread, write } = await writer(server)
  await signIn(ann, server)
  await page.click(`[data-row="${thread}"]`)
  await until(async () => (await unreadAt(server)) === 0, 'the first is read')
  await write('Two')
  await page.getByText('Two', { exact: true }).waitFor()
  await until(async () => (await unreadAt(server)) === 0, 'the second is read')
  await show(page, false)
  await write('Three')
  await page.getByText('Three', { exact: true }).waitFor()
  // Longer than it takes for visible mail to count as read.
  await page.waitForTimeout(1200)
  expect(await unreadAt(server)).toBe(1)
  await show(page, true)
  await until(async () => (await unreadAt(server)) === 0, 'the third is read')
})

test('a conversation loaded in pages is shown and marked as read to its end', async () => {
  const server = await start()
  const ann = await visitor()
  const { page } = ann
  const { thread, write } = await writer(server)
  for (let from = 0; from < 1000; from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => write(`Line ${from + n}`)))
  }
  await write('The last')
  await signIn(ann, server)
  await page.click(`[data-row="${thread}"]`)
  await page.getByText('The last', { exact: true }).waitFor({ state: 'attached' })
  await until(async () => (await unreadAt(server)) === 0, 'all are read')
})
