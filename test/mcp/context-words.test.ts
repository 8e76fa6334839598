// The wording and shapes of a workflow's tools, compared exactly, because existing programs depend on them.

import { expect, test } from 'bun:test'
import { contextScene } from './context-scene.ts'
import { visit } from './visitors.ts'

const scene = contextScene('pr-7')

test('texts contain only the result or the list, and the rest is in the structured content', async () => {
  const coder = await visit('v1', scene.wayFor('port', 'coder'))
  const reviewer = await visit('v1', scene.wayFor('port', 'reviewer'))
  const texts = async (name: string, args: object = {}, by = coder) =>
    (await by.call(name, args)).content.map(({ text }) => text)

  const [sent, ids] = await texts('channel_send', { message: '@coder go' }, reviewer)
  expect(sent).toBe('sent')
  const { id } = JSON.parse(String(ids))
  for (const name of ['channel_read', 'channel_peek']) {
    const [text, ...more] = await texts(name, { limit: 1 })
    expect(more).toEqual([])
    const entry = { id, from: 'reviewer', message: '@coder go', mentions: ['coder'] }
    expect(JSON.parse(String(text))).toMatchObject([{ ...entry, timestamp: expect.any(String) }])
  }
  // inbox_peek, the old name of inbox_check, still works but isn't listed.
  for (const name of ['inbox_peek', 'inbox_check', 'channel_mentions']) {
    const [text, ...more] = await texts(name)
    expect(more).toEqual([])
    expect(JSON.parse(String(text))).toMatchObject([
      { entry: { id, from: 'reviewer' }, unread: true, priority: 'normal' },
    ])
  }
  expect((await texts('inbox_ack', { until: id }))[0]).toBe('acknowledged')
  expect(await texts('inbox_check')).toEqual(['[]'])
  expect((await texts('no_action', { reason: 'not mine' }))[0]).toBe('noted')
  const [team] = await texts('team')
  const members = [{ name: 'reviewer' }, { name: 'coder', agent_id: 'coder@pr-7' }]
  expect(JSON.parse(String(team))).toMatchObject(members)
  const wrong = await coder.call('inbox_ack', { until: 'all of it' })
  expect([wrong.isError, wrong.content[0]?.text]).toEqual([true, expect.stringContaining('until')])
  await Promise.all([coder.close(), reviewer.close()])
})
