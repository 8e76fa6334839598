// Approve, revise, audit: an agent that is a separate program asks, waits, revises and continues, and a person decides
// in a shell. The agent is the example of docs/requests.md.

import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks, read } from '../docs/documents.ts'
import { until } from '../worlds/world.ts'
import { ask, folders, ROOT, run } from './process.ts'

const folder = folders()
const AGENT = blocks(read('docs/requests.md'), 'ts')[0] ?? ''
beforeAll(() => expect(AGENT).toContain('requestApproval'))

type Item = { request_id: string; status: string; revision: number; requester: string }
type Story = {
  request: Item
  actions: string[]
  revisions: { payload: unknown; payload_sha256: string }[]
  changes: { path: string; before: unknown; after: unknown }[]
  activity: { actor: string; action: string; from: string | null; to: string; notes: string }[]
}
type Sent = { messages: { from: string; subject: string }[] }

function place() {
  const here = folder()
  mkdirSync(join(here, 'node_modules'))
  symlinkSync(ROOT, join(here, 'node_modules/mailroom'))
  writeFileSync(join(here, 'agent.ts'), AGENT)
  const inbox = async <T>(...args: string[]) =>
    (await ask(args, { folder: here })) as unknown as Promise<T>
  const agent = () => {
    const child = Bun.spawn([process.execPath, 'agent.ts'], {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: here },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = Promise.all([new Response(child.stdout).text(), child.exited])
    return { child, ended }
  }
  /** Resolves with the request's id once it is pending at this revision. */
  const pending = async (revision: number) => {
    let found: Item | undefined
    await until(async () => {
      const { out, code } = await run(['request', 'list', '--json'], { folder: here })
      const { requests } = code === 0 ? (JSON.parse(out) as { requests: Item[] }) : { requests: [] }
      found = requests.find((one) => one.revision === revision)
      return found?.status === 'pending'
    }, `revision ${revision} is pending`)
    return (found as Item).request_id
  }
  return { inbox, agent, pending }
}

const limitOf = (limit: number) => ({ target: 'api', current: { limit: 10 }, proposed: { limit } })

test('approve: an agent killed while waiting restarts and continues with the approved payload', async () => {
  const { inbox, agent, pending } = place()
  const first = agent()
  const request = await pending(1)
  first.child.kill('SIGKILL')
  await first.ended
  const second = agent()
  await inbox('approve', request, '--revision', '1')
  expect(await second.ended).toEqual([`done: ${JSON.stringify(limitOf(80))}\n`, 0])
  const { requests } = await inbox<{ requests: Item[] }>('request', 'list', '--tab', 'all')
  expect(requests).toMatchObject([{ request_id: request, requester: 'builder' }])
  // A third start finds the decision already made, and doesn't ask again.
  expect(await agent().ended).toEqual([`done: ${JSON.stringify(limitOf(80))}\n`, 0])
})

test('revise: the agent gets the notes, submits again, waits again, and continues with the last approved payload', async () => {
  const { inbox, agent, pending } = place()
  const working = agent()
  const request = await pending(1)
  await inbox('request-revision', request, '--revision', '1', '--notes', 'Less, please')
  await pending(2)
  const stale = await inbox<Story>('request', 'get', request)
  expect(stale.changes).toEqual([{ path: '/payload/proposed/limit', before: 80, after: 40 }])
  await inbox('approve', request, '--revision', '2')
  expect(await working.ended).toEqual([`done: ${JSON.stringify(limitOf(40))}\n`, 0])
})

test('audit: a rejection stops the agent, and the history shows who did what, when and why', async () => {
  const { inbox, agent, pending } = place()
  const working = agent()
  const request = await pending(1)
  await inbox('comment', request, '--body', 'Who needs this?')
  await inbox('request-revision', request, '--revision', '1', '--notes', 'Less')
  await pending(2)
  await inbox('reject', request, '--revision', '2', '--notes', 'Not before Monday')
  expect(await working.ended).toEqual(['rejected: Not before Monday\n', 0])
  const {
    activity,
    revisions,
    actions,
    request: kept,
  } = await inbox<Story>('request', 'get', request)
  expect(kept).toMatchObject({ status: 'rejected', revision: 2, decided_by: 'user' })
  expect(actions).toEqual([])
  expect(
    activity.map(({ actor, action, from, to, notes }) => [actor, action, from, to, notes]),
  ).toEqual([
    ['builder', 'create', null, 'pending', ''],
    ['user', 'comment', null, null, 'Who needs this?'],
    ['user', 'revise', 'pending', 'revision_requested', 'Less'],
    ['builder', 'resubmit', 'revision_requested', 'pending', ''],
    ['user', 'reject', 'pending', 'rejected', 'Not before Monday'],
  ] as never)
  expect(revisions.map(({ payload }) => payload)).toEqual([limitOf(80), limitOf(40)])
  expect(new Set(revisions.map(({ payload_sha256 }) => payload_sha256)).size).toBe(2)
  // The comment that no call waited for still arrives as mail, and replaying the log gives the tables.
  const { messages } = await inbox<Sent>('mail', 'peek', '--agent', 'builder')
  expect(messages).toMatchObject([{ from: 'user', subject: 'comment: Who needs this?' }])
  expect((await inbox<{ ok: boolean }>('doctor')).ok).toBe(true)
})
