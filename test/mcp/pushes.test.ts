// Each tool of pushes, from a workspace: what it does, what it refuses, what it says when there is nothing, and
// what a repetition under a key gives. Tests of who may push from where are in visits.test.ts.

import { describe, expect, test } from 'bun:test'
import { type Any, data, scene } from './scene.ts'
import { CLIENTS, type ToolAnswer, type Visitor, visit } from './visitors.ts'

const { shell, server, addWorkspace } = scene()

type Entry = { entry_id: string; comments: string; form: string; agent: string }

describe.each([...CLIENTS])('client %s', (client) => {
  /** A visitor at a workspace of its own, from which nothing was pushed yet. */
  async function coming(): Promise<{ visitor: Visitor; agent: string }> {
    const { id, agent } = await addWorkspace()
    const url = `${server().url}/mcp/${id}`
    return { visitor: await visit(client, { kind: 'http', url, agent }), agent }
  }

  test('inbox_push shows the person a comment', async () => {
    const { visitor, agent } = await coming()
    const { entry_id } = data<Entry>(await visitor.call('inbox_push', { comments: 'Finished.' }))
    expect(await seen(agent)).toMatchObject([{ entry_id, comments: 'Finished.', form: 'push' }])
    await visitor.close()
  })

  test('inbox_push without words, or of a document that is not there, is refused and pushes nothing', async () => {
    const { visitor, agent } = await coming()
    const bare = refusal(await visitor.call('inbox_push', { comments: ' ' }))
    expect(bare).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('say') })
    const lost = refusal(await visitor.call('inbox_push', { docs: [{ path: 'none.md' }] }))
    expect(lost).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('there is no document "none.md"'),
    })
    expect(await seen(agent)).toEqual([])
    await visitor.close()
  })

  test('inbox_push repeated under its key is one push, and with other words is refused', async () => {
    const { visitor, agent } = await coming()
    const words = { comments: 'Once', idempotency_key: 'push-1' }
    const first = data(await visitor.call('inbox_push', words))
    expect(data(await visitor.call('inbox_push', words))).toEqual(first)
    const other = refusal(await visitor.call('inbox_push', { ...words, comments: 'Twice' }))
    expect(other.code).toBe('invalid_state')
    expect(await seen(agent)).toMatchObject([{ comments: 'Once' }])
    await visitor.close()
  })

  test('notify_user shows the person a notification', async () => {
    const { visitor, agent } = await coming()
    const { entry_id } = data<Entry>(await visitor.call('notify_user', { message: 'Backup ran' }))
    const one = { entry_id, comments: 'Backup ran', form: 'notification' }
    expect(await seen(agent)).toMatchObject([one])
    await visitor.close()
  })

  test('notify_user with an empty message is refused and shows nothing', async () => {
    const { visitor, agent } = await coming()
    const bare = refusal(await visitor.call('notify_user', { message: ' ' }))
    expect(bare).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('message is empty'),
    })
    expect(await seen(agent)).toEqual([])
    await visitor.close()
  })

  test('notify_user repeated under its key is one notification', async () => {
    const { visitor, agent } = await coming()
    const words = { message: 'Once', idempotency_key: 'notify-1' }
    const first = data(await visitor.call('notify_user', words))
    expect(data(await visitor.call('notify_user', words))).toEqual(first)
    expect(await seen(agent)).toMatchObject([{ comments: 'Once' }])
    await visitor.close()
  })

  test('inbox_read lists what was pushed from here, newest first, a page at a time', async () => {
    const { visitor, agent } = await coming()
    for (const comments of ['One', 'Two']) data(await visitor.call('inbox_push', { comments }))
    type Page = { entries: Entry[]; next_before: string | null }
    const first = data<Page>(await visitor.call('inbox_read', { limit: 1 }))
    expect(first.entries).toMatchObject([{ comments: 'Two', agent }])
    const before = first.next_before
    const { entries } = data<Page>(await visitor.call('inbox_read', { before }))
    expect(entries).toMatchObject([{ comments: 'One', agent }])
    await visitor.close()
  })

  test('inbox_read of a page without a line is refused', async () => {
    const { visitor } = await coming()
    const none = refusal(await visitor.call('inbox_read', { limit: 0 }))
    expect(none).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('limit'),
    })
    await visitor.close()
  })

  test('inbox_read where nothing was pushed says so', async () => {
    const { visitor } = await coming()
    // A push of another workspace does not count here.
    const other = await coming()
    data(await other.visitor.call('inbox_push', { comments: 'Elsewhere' }))
    const answer = await visitor.call('inbox_read')
    expect(data(answer)).toMatchObject({ entries: [] })
    expect(JSON.stringify(answer)).toContain('Nothing was pushed from here yet.')
    await visitor.close()
    await other.visitor.close()
  })

  test('inbox_show shows a push with what the person replied', async () => {
    const { visitor, agent } = await coming()
    const { entry_id } = data<Entry>(await visitor.call('inbox_push', { comments: 'May I?' }))
    await shell('push', 'reply', entry_id, '--comments', 'Yes.')
    expect(data(await visitor.call('inbox_show', { entry: entry_id }))).toMatchObject({
      entry: { entry_id, agent, comments: 'May I?' },
      replies: [{ from: 'user', body: 'Yes.' }],
    })
    await visitor.close()
  })

  test('inbox_show of no push, and of another workspace’s, is not found', async () => {
    const { visitor } = await coming()
    const other = await coming()
    const words = { comments: 'Not yours' }
    const { entry_id } = data<Entry>(await other.visitor.call('inbox_push', words))
    for (const entry of ['none', entry_id]) {
      const answer = await visitor.call('inbox_show', { entry })
      expect(refusal(answer).code).toBe('not_found')
      expect(JSON.stringify(answer)).not.toContain('Not yours')
    }
    await visitor.close()
    await other.visitor.close()
  })
})

/** The person's entries from this agent, as the shell lists them. */
async function seen(agent: string): Promise<Any[]> {
  return (await shell<{ entries: Any[] }>('push', 'history', '--from', agent)).entries
}

function refusal({ isError, structuredContent }: ToolAnswer): { code: string; message: string } {
  expect({ isError, structuredContent }).toMatchObject({ isError: true })
  return structuredContent?.error as { code: string; message: string }
}
