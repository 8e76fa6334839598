import { expect } from 'bun:test'
import { shortId } from '../../../src/core/short-id.ts'
import type { Code } from '../../../src/index.ts'
import { behaves } from '../../worlds/behaves.ts'
import { refused as refusedWith } from '../../worlds/refused.ts'
import { task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

async function refused(call: Promise<unknown>, code: Code, words = '') {
  const no = await refusedWith(call, code)
  expect(no.message).toContain(words)
  return no
}

behaves('short/one', async (world) => {
  const thread = await task(world)
  await task(world)
  const short = shortId(thread)
  expect(short).toHaveLength(6)
  for (const form of [
    short,
    thread.slice(14, 18),
    `thr_${short}`,
    thread.slice(0, 22),
    short.toUpperCase(),
  ]) {
    expect((await world.inbox.show({ thread: form })).thread.thread_id).toBe(thread)
  }
  await refused(
    world.inbox.show({ thread: thread.slice(14, 17) }),
    'not_found',
    'too short: give at least 4 letters',
  )
  const sent = await world.inbox.mailSend({
    from: 'lead',
    to: 'worker',
    subject: 'Hello',
    body: '',
  })
  const message = sent.message?.id ?? ''
  const { messages } = await world.inbox.mailReceipts({ agent: 'lead', message: shortId(message) })
  expect(messages.map(({ id }) => id)).toEqual([message])
})

behaves('short/whole-in-answers', async (world) => {
  const thread = await task(world)
  const claimed = await world.inbox.claim({ agent: 'worker', thread: shortId(thread) })
  expect(claimed.thread?.thread_id).toBe(thread)
  const done = await world.inbox.done({ agent: 'worker', thread: shortId(thread), summary: 'Yes' })
  expect(done.thread.thread_id).toBe(thread)
})

/** A copy of the store in which the random parts of two threads' ids begin with the same letters. */
async function copyWithAlikeIds(world: World, one: string, two: string) {
  const first = `${one.slice(0, 14)}abcdefgh00000000`
  const second = `${two.slice(0, 14)}abcdefxy00000000`
  const log = (await world.exportLog()).replaceAll(one, first).replaceAll(two, second)
  const other = await world.another('unmade')
  expect((await other.importLog(log)).rejected).toEqual([])
  return { other, first, second }
}

behaves('short/ambiguous', async (world) => {
  const two = { from: 'other', to: 'third', subject: 'Write the lexer' }
  const { other, first, second } = await copyWithAlikeIds(
    world,
    await task(world),
    await task(world, two),
  )
  const no = await refused(other.inbox.show({ thread: 'abcdef' }), 'invalid_input', 'abcdefgh')
  expect(no.message).toContain('"Build the parser"')
  expect(no.message).toContain('"Write the lexer"')
  expect((await other.inbox.show({ thread: 'abcdefg' })).thread.thread_id).toBe(first)
  expect((await other.inbox.show({ thread: 'abcdefx' })).thread.thread_id).toBe(second)
})

behaves('short/hidden', async (world) => {
  for (const agent of ['ann', 'bob', 'cid', 'dan']) await world.inbox.agentRegister({ agent })
  const write = async (from: string, to: string) => {
    const { message } = await world.inbox.mailSend({
      from,
      to,
      subject: `${from} writes`,
      body: '',
    })
    return message?.thread_id ?? ''
  }
  const [ours, theirs] = [await write('ann', 'bob'), await write('cid', 'dan')]
  const { other, first } = await copyWithAlikeIds(world, ours, theirs)
  await refused(other.inbox.show({ thread: 'abcdef' }), 'invalid_input', 'cid writes')
  const seen = await other.as('ann').show({ thread: 'abcdef' })
  expect(seen.thread.thread_id).toBe(first)
  await refused(other.as('ann').show({ thread: 'abcdefxy' }), 'not_found', 'there is no thread')
})

behaves('short/other-kind', async (world) => {
  const sent = await world.inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })
  const { thread_id } = sent.thread
  const { message_id } = sent.message
  const no = await refused(
    world.inbox.show({ thread: message_id }),
    'not_found',
    'is a message, not a thread',
  )
  expect(no.message).toContain(thread_id)
  await refused(
    world.inbox.mailReceipts({ agent: 'lead', message: thread_id }),
    'not_found',
    'is a thread, not a message',
  )
  const short = shortId(message_id)
  const said = `${short} is a message, of thread ${shortId(thread_id)}, not a`
  await refused(world.inbox.show({ thread: short }), 'not_found', `${said} thread`)
  await refused(world.inbox.requestGet({ request: short }), 'not_found', `${said} request`)
  await refused(
    world.inbox.requestGet({ request: shortId(thread_id) }),
    'not_found',
    'is a thread, "Build it", not a request',
  )
})

behaves('short/key', async (world) => {
  const thread = await task(world)
  const call = { agent: 'worker', idempotency_key: 'k' }
  const first = await world.inbox.claim({ ...call, thread })
  const again = await world.inbox.claim({ ...call, thread: shortId(thread) })
  expect(again).toEqual(first)
})
