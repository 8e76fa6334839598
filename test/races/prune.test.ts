import { describe, expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import { startActor, threadOf } from '../programs/start.ts'
import type { TestStore } from '../worlds/store.ts'
import { ENGINES, withLonelyStore, withStore } from './own-store.ts'
import { untilWaiting } from './waiting.ts'
import { contradictions, findingsOf } from './witness.ts'

describe.each([...ENGINES])('%s: pruning', (engine) => {
  test('waits for a client that is marking the thread read, and removes the mark too', async () => {
    await withLonelyStore(engine, async (store) => {
      const thread = await finishedThread(store)
      const [reader, pruner] = await Promise.all([
        startActor(store.address),
        startActor(store.address),
      ])
      const mark = { thread, mark_read: true, agent: 'lead' }
      const { answer } = await reader.hold('show', mark, 'written')
      const pruning = pruner.call('prune', { older_than_days: 0, include_unread: true })
      await untilWaiting(store, pruner.pid)
      reader.resume()
      expect((await answer).refusal).toBeUndefined()
      expect((await pruning).result).toMatchObject({ removed: { threads: 1, events: 4 } })
      await Promise.all([reader.close(), pruner.close()])
      expect(await findingsOf(store.address)).toEqual([])
      expect(await store.sql('select * from thread_reads')).toEqual([])
    })
  })

  test('a client that marks the thread during a prune gets not_found', async () => {
    await withLonelyStore(engine, async (store) => {
      const thread = await finishedThread(store)
      const [reader, pruner] = await Promise.all([
        startActor(store.address),
        startActor(store.address),
      ])
      const { answer } = await pruner.hold(
        'prune',
        { older_than_days: 0, include_unread: true },
        'written',
      )
      const marking = reader.call('show', { thread, mark_read: true, agent: 'lead' })
      await untilWaiting(store, reader.pid)
      pruner.resume()
      expect((await answer).result).toMatchObject({ removed: { threads: 1 } })
      expect((await marking).refusal).toMatchObject({ code: 'not_found' })
      await Promise.all([reader.close(), pruner.close()])
      expect(await findingsOf(store.address)).toEqual([])
    })
  })

  test('keeps mail that is being answered', async () => {
    await withLonelyStore(engine, async (store) => {
      const [writer, pruner] = await Promise.all([
        startActor(store.address),
        startActor(store.address),
      ])
      await writer.call('agentRegister', { agent: 'ann' })
      const sent = await writer.call('mailSend', { to: 'ann', body: 'Why?' })
      const { id } = (sent.result as { message: { id: string } }).message
      await writer.call('mailMarkRead', { agent: 'ann', all: true })
      const reply = { from: 'ann', in_reply_to: id, body: 'Because' }
      const { answer } = await writer.hold('mailSend', reply, 'written')
      const pruning = pruner.call('prune', { mail_messages: 0 })
      await untilWaiting(store, pruner.pid)
      writer.resume()
      expect((await answer).refusal).toBeUndefined()
      expect((await pruning).result).toMatchObject({ removed: { threads: 0 } })
      await Promise.all([writer.close(), pruner.close()])
      expect(await store.sql('select seq from messages order by seq')).toEqual([
        { seq: 1 },
        { seq: 2 },
      ])
      expect(await findingsOf(store.address)).toEqual([])
    })
  })

  test('keeps every open thread intact while workers run at full speed', async () => {
    await withStore(engine, async (store) => {
      const pruner = await startActor(store.address)
      const workers = await Promise.all([1, 2, 3].map(() => startActor(store.address)))
      let isOver = false
      let removed = 0
      const open: string[] = []
      const work = workers.map(async (worker) => {
        // Keep working until enough has been pruned along the way for the checks below to mean something.
        for (let i = 0; i < 25 || removed <= 10; i++) {
          const thread = threadOf(await worker.call('send', { to: 'lead', subject: 'work' }))
          await worker.call('claim', { thread })
          await worker.call('send', { thread, summary: 'more' })
          if (i % 3 === 0) open.push(thread)
          else await worker.call('done', { thread, summary: 'built' })
          await worker.call('show', { thread, mark_read: true, agent: 'lead' })
        }
      })
      const pruning = (async () => {
        while (!isOver) {
          const { result } = await pruner.call('prune', {
            older_than_days: 0,
            include_unread: true,
          })
          removed += (result as { removed: { threads: number } }).removed.threads
        }
      })()
      await Promise.all(work)
      isOver = true
      await pruning
      await Promise.all([pruner, ...workers].map((actor) => actor.close()))
      const left = await store.sql(`select thread_id from threads where status = 'claimed'`)
      expect(left.map((row) => row.thread_id).sort()).toEqual(open.sort())
      expect(await contradictions(store, [])).toEqual([])
      expect(await findingsOf(store.address)).toEqual([])
    })
  })
})

/** Creates a finished thread and sets the clock far ahead, so that the thread can be pruned. */
async function finishedThread(store: TestStore): Promise<string> {
  const lead = await connect(store.address, { agent: 'lead' })
  const { thread } = await lead.send({ to: 'lead', subject: 'work' })
  await lead.claim({ thread: thread.thread_id })
  await lead.done({ thread: thread.thread_id, summary: 'built' })
  await lead.close()
  await store.clock.set('2099-01-01T00:00:00.000Z')
  return thread.thread_id
}
