// Each push tool from a workspace: what it does, what it refuses, what it says when there is nothing, and what a
// repeated key returns. visits.test.ts tests who may push from where.

import { describe, expect, test } from 'bun:test'
import { type Any, data, scene } from './scene.ts'
import { CLIENTS, type ToolAnswer, type Visitor, visit } from './visitors.ts'

const { shell, server, addWorkspace } = scene()

type Entry = { entry_id: string; comments: string; form: string; agent: string }

describe.each([...CLIENTS])('client %s', (client) => {
  /** A visitor in a new workspace without pushes. */
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

  test('inbox_push refuses an empty comment and a missing document, and pushes nothing', async () => {
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

  test('inbox_push repeated under its key pushes once, and refuses a different comment', async () => {
    const { visitor, agent } = await coming()
    const push = { comments: 'Once', idempotency_key: 'push-1' }
    const first = data(await visitor.call('inbox_push', push))
    expect(data(await visitor.call('inbox_push', push))).toEqual(first)
    const other = refusal(await visitor.call('inbox_push', { ...push, comments: 'Twice' }))
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

  test('notify_user refuses an empty message and shows nothing', async () => {
    const { visitor, agent } = await coming()
    const bare = refusal(await visitor.call('notify_user', { message: ' ' }))
    expect(bare).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('message is empty'),
    })
    expect(await seen(agent)).toEqual([])
    await visitor.close()
  })

  test('notify_user repeated under its key notifies once', async () => {
    const { visitor, agent } = await coming()
    const notification = { message: 'Once', idempotency_key: 'notify-1' }
    const first = data(await visitor.call('notify_user', notification))
    expect(data(await visitor.call('notify_user', notification))).toEqual(first)
    expect(await seen(agent)).toMatchObject([{ comments: 'Once' }])
    await visitor.close()
  })

  test('inbox_read lists the workspace’s pushes, newest first, in pages', async () => {
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

  test('inbox_read refuses a limit of 0', async () => {
    const { visitor } = await coming()
    const none = refusal(await visitor.call('inbox_read', { limit: 0 }))
    expect(none).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('limit'),
    })
    await visitor.close()
  })

  test('inbox_read says so if the workspace has no pushes', async () => {
    const { visitor } = await coming()
    // A push from another workspace doesn't count here.
    const other = await coming()
    data(await other.visitor.call('inbox_push', { comments: 'Elsewhere' }))
    const answer = await visitor.call('inbox_read')
    expect(data(answer)).toMatchObject({ entries: [] })
    expect(JSON.stringify(answer)).toContain('Nothing was pushed from here yet.')
    await visitor.close()
    await other.visitor.close()
  })

  test('inbox_show shows a push with the person’s replies', async () => {
    const { visitor, agent } = await coming()
    const { entry_id } = data<Entry>(await visitor.call('inbox_push', { comments: 'May I?' }))
    await shell('push', 'reply', entry_id, '--comments', 'Yes.')
    expect(data(await visitor.call('inbox_show', { entry: entry_id }))).toMatchObject({
      entry: { entry_id, agent, comments: 'May I?' },
      replies: [{ from: 'user', body: 'Yes.' }],
    })
    await visitor.close()
  })

  test('inbox_show does not find unknown pushes or those of another workspace', async () => {
    const { visitor } = await coming()
    const other = await coming()
    const push = { comments: 'Not yours' }
    const { entry_id } = data<Entry>(await other.visitor.call('inbox_push', push))
    for (const entry of ['none', entry_id]) {
      const answer = await visitor.call('inbox_show', { entry })
      expect(refusal(answer).code).toBe('not_found')
      expect(JSON.stringify(answer)).not.toContain('Not yours')
    }
    await visitor.close()
    await other.visitor.close()
  })
})

/** The person's entries from this agent, as listed in the shell. */
async function seen(agent: string): Promise<Any[]> {
  return (await shell<{ entries: Any[] }>('push', 'history', '--from', agent)).entries
}

function refusal({ isError, structuredContent }: ToolAnswer): { code: string; message: string } {
  expect({ isError, structuredContent }).toMatchObject({ isError: true })
  return structuredContent?.error as { code: string; message: string }
}
