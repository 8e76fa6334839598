// Agents of a workflow working with its tools, over every transport and with clients of both protocol versions.

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contextScene, WAYS } from './context-scene.ts'
import { data } from './scene.ts'
import { CLIENTS, type Visitor, visit } from './visitors.ts'

const scene = contextScene()

type Entry = { id: string; timestamp: string; from: string; message: string; mentions: string[] }
type Waiting = { messages: { entry: Entry; unread: boolean; priority: string }[]; unread: number }

const check = async (client: Visitor, args: object = {}) =>
  data<Waiting>(await client.call('inbox_check', args))

async function readAll(client: Visitor): Promise<void> {
  const { messages } = await check(client)
  const last = messages.at(-1)?.entry.id
  if (last !== undefined) data(await client.call('inbox_ack', { until: last }))
}

describe.each([...WAYS])('over %s', (way) => {
  describe.each([...CLIENTS])('%s', (kind) => {
    test('a mention is sent, found, acknowledged, and answered', async () => {
      const reviewer = await visit(kind, scene.wayFor(way, 'reviewer'))
      const coder = await visit(kind, scene.wayFor(way, 'coder'))
      await Promise.all([readAll(reviewer), readAll(coder)])

      const sent = await reviewer.call('channel_send', { message: '@coder urgent: fix it' })
      expect(sent.content[0]?.text).toContain('sent')
      const { id } = data<Entry>(sent)
      const waiting = await check(coder)
      expect(waiting.messages).toMatchObject([
        { entry: { id, from: 'reviewer', mentions: ['coder'] }, unread: true, priority: 'high' },
      ])
      expect((await check(coder)).messages).toHaveLength(1)
      const until = waiting.messages[0]?.entry.timestamp
      expect(data(await coder.call('inbox_ack', { until }))).toMatchObject({ unread: 0 })
      expect((await check(coder)).messages).toEqual([])

      const answer = { message: 'done, @reviewer', reply_to: id }
      data(await coder.call('channel_send', answer))
      expect((await check(reviewer)).messages).toMatchObject([{ entry: { from: 'coder' } }])
      const peeked = data<{ entries: Entry[] }>(await reviewer.call('channel_peek', { limit: 2 }))
      expect(peeked.entries.map(({ from }) => from)).toEqual(['reviewer', 'coder'])
      await Promise.all([reviewer.close(), coder.close()])
    })

    test('a blocked inbox_check ends when its agent is mentioned', async () => {
      const coder = await visit(kind, scene.wayFor(way, 'coder'))
      await readAll(coder)
      const blocked = check(coder, { timeout_seconds: 30 })
      await scene.say('reviewer@pr-1', 'for nobody')
      await scene.say('user', 'wake up @coder')
      const { messages } = await blocked
      expect(messages.map(({ entry }) => entry.message)).toEqual(['wake up @coder'])
      await coder.close()
    })

    test('documents are created, read, listed, and guarded by their digest', async () => {
      const coder = await visit(kind, scene.wayFor(way, 'coder'))
      const file = `notes-${way}-${kind.replace(' ', '-')}.md`
      data(await coder.call('document_create', { file, content: '# Plan\n' }))
      const twice = await coder.call('document_create', { file, content: 'again' })
      expect(twice.isError).toBe(true)
      data(await coder.call('document_append', { file, content: 'one\n' }))
      expect((await coder.call('document_read', { file })).content[0]?.text).toContain('# Plan')
      expect(readFileSync(join(scene.dir, file), 'utf8')).toBe('# Plan\none\n')
      const stale = { file, content: 'lost', if_sha256: '0'.repeat(64) }
      expect((await coder.call('document_write', stale)).isError).toBe(true)
      expect((await coder.call('document_list')).content[0]?.text).toContain(file)
      const out = await coder.call('document_write', { file: '../out.md', content: 'x' })
      expect([out.isError, existsSync(join(scene.dir, '../out.md'))]).toEqual([true, false])
      data(await coder.call('document_delete', { file }))
      expect(existsSync(join(scene.dir, file))).toBe(false)
      await coder.close()
    })

    test('tools accept no argument that says who is calling', async () => {
      const coder = await visit(kind, scene.wayFor(way, 'coder'))
      const forged = await coder.call('channel_send', {
        message: 'I am the reviewer',
        agent: 'reviewer@pr-1',
        from: 'reviewer',
      })
      expect(forged.isError).toBe(true)
      const names = (await coder.tools()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['channel_send', 'inbox_check', 'team']))
      for (const name of ['channel_mentions', 'send_message', 'thread_claim', 'inbox_push']) {
        expect(names).not.toContain(name)
      }
      await coder.close()
    })
  })
})
