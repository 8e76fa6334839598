// Starting points for tests: a thread that is pending, held or finished.

import type { Row } from './store.ts'
import type { World } from './world.ts'

type Sending = Partial<Parameters<World['inbox']['send']>[0]>

/** A task from lead to worker, unless `input` says otherwise. Returns its thread's id. */
export async function task(world: World, input: Sending = {}): Promise<string> {
  const { thread } = await world.inbox.send({
    from: 'lead',
    to: 'worker',
    subject: 'Build the parser',
    ...input,
  })
  return thread.thread_id
}

export type Held = { thread: string; token: string }

/** A task that an agent holds. */
export async function held(
  world: World,
  agent: string = 'worker',
  lease_seconds: number = 900,
): Promise<Held> {
  const thread = await task(world)
  return { thread, token: await take(world, thread, agent, lease_seconds) }
}

/** Claims a thread. Returns the lease's token. */
export async function take(
  world: World,
  thread: string,
  agent: string,
  lease_seconds: number = 900,
): Promise<string> {
  const { lease } = await world.inbox.claim({ agent, thread, lease_seconds })
  if (lease === null) throw new Error(`${agent} did not get ${thread}`)
  return lease.lease_token
}

/** A task whose worker is waiting for an answer. */
export async function blocked(world: World): Promise<Held> {
  const scene = await held(world)
  await world.inbox.update({
    agent: 'worker',
    thread: scene.thread,
    status: 'blocked',
    summary: 'Which grammar?',
  })
  return scene
}

/** Mail in every state: queued for a role, taken over, presented, answered, marked as read, and bounced. */
export async function mailed({ inbox }: World): Promise<void> {
  await inbox.personAdd({ name: 'eve' })
  const asked = await inbox.mailSend({ from: 'ann', to: 'role:builder', body: 'Who is there?' })
  await inbox.agentRegister({ agent: 'bob', role: 'builder', status: 'idle' })
  await inbox.mailRead({ agent: 'bob' })
  await inbox.mailSend({ from: 'bob', in_reply_to: asked.message?.id, body: 'I am' })
  await inbox.mailMarkRead({ agent: 'ann', all: true })
  await inbox.mailSend({ from: 'user', to: 'bob', body: 'Good' })
  await inbox.agentStatus({ agent: 'bob', status: 'off' })
}

/** A workspace that was added and removed again, and tokens in every state. */
export async function admitted({ inbox, folder }: World): Promise<void> {
  const { workspace } = await inbox.workspaceAdd({ path: folder, label: 'app' })
  const { workspace_id } = workspace
  await inbox.tokenIssue({ workspace: workspace_id, sets: ['workspace'], days: 30 })
  await inbox.tokenIssue({ name: 'ann' })
  await inbox.workspaceRemove({ workspace: workspace_id })
}

export async function statusOf(world: World, thread: string): Promise<string> {
  return (await world.inbox.show({ thread })).thread.status
}

/** Whether the tables match the log. */
export async function logAgrees({ inbox }: World): Promise<boolean> {
  const { findings } = await inbox.doctor({})
  return findings.find(({ check }) => check === 'log')?.ok === true
}

const TABLES = {
  threads: 'thread_id',
  messages: 'message_id',
  leases: 'thread_id',
  artifacts: 'artifact_id',
  thread_reads: 'thread_id, agent_id',
  events: 'event_id',
  idempotency_keys: 'agent, idempotency_key',
  settings: 'name',
  agents: 'agent_id',
  people: 'person_id',
  sightings: 'agent_id',
  role_turns: 'role',
  turns: 'agent_id, session',
  deliveries: 'recipient, event_id',
  wakes: 'wake_id',
  pushes: 'thread_id',
  workspaces: 'workspace_id',
  tokens: 'token_id',
}

/** Returns every row of every table, to check that nothing changed, not even data that no operation shows. */
export async function everything(world: World): Promise<Record<string, Row[]>> {
  const tables: Record<string, Row[]> = {}
  for (const [table, order] of Object.entries(TABLES)) {
    tables[table] = await world.sql(`select * from ${table} order by ${order}`)
  }
  return tables
}
