// The log against the tables: every table that the log leads to must hold what replaying it gives.
// Sightings, turns and the digests of tokens are not among them: they are outside the log.

import type { Agent } from '../core/agent.ts'
import type { Delivery } from '../core/delivery.ts'
import type { Finding, StoreAdmin } from '../core/keeper.ts'
import {
  differences,
  emptyReplay,
  inboxKey,
  type Replayed,
  readKey,
  replayEvent,
} from '../core/replay.ts'
import type { Store } from '../core/store.ts'
import type { Token } from '../core/token.ts'
import { withoutSigns } from '../core/wake-fold.ts'
import { eachPage, MOST_PROBLEMS } from './doctor-pages.ts'

const PAGE = 1000

export async function checkLog(store: Store, admin: StoreAdmin): Promise<Finding> {
  // Others may be writing: what is compared is what stood still while it was compared.
  let problems: string[] = []
  let events = 0
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await store.lastEventId()
    const replayed = emptyReplay()
    events = await replayLog(admin, replayed)
    problems = [...replayed.problems, ...(await compareTables(store, admin, replayed))]
    if (problems.length === 0 || (await store.lastEventId()) === before) break
  }
  return {
    check: 'log',
    ok: problems.length === 0,
    detail:
      problems.length === 0
        ? `${events} events replayed; the tables agree`
        : problems.slice(0, MOST_PROBLEMS).join('; '),
    remedy:
      "something wrote to the tables without the log; 'inbox export' the log and import it into a new store",
  }
}

async function replayLog(admin: StoreAdmin, into: Replayed): Promise<number> {
  let after = 0
  let events = 0
  for (;;) {
    const entries = await admin.log(after, PAGE)
    if (entries.length === 0) return events
    for (const { event, message } of entries) replayEvent(into, event, message)
    events += entries.length
    after = entries.at(-1)?.event.event_id ?? after
  }
}

type Expect = <T extends object>(what: string, have: T, want: T | null | undefined) => void
type ExpectCount = (what: string, have: number, want: number) => void

async function compareTables(store: Store, admin: StoreAdmin, replayed: Replayed) {
  const problems: string[] = []
  const expect: Expect = (what, have, want) => {
    const fields = want ? differences(have, want) : ['everything']
    if (fields.length > 0) problems.push(`${what} differs from the log in ${fields.join(', ')}`)
  }
  const expectCount: ExpectCount = (what, have, want) => {
    if (have !== want) problems.push(`${have} ${what} stored, ${want} in the log`)
  }
  await compareThreads(admin, replayed, expect, expectCount)
  await compareDeliveries(admin, replayed, expect, expectCount)
  await comparePushes(admin, replayed, expect, expectCount)
  await compareAgents(admin, replayed, expect, expectCount)
  await compareIdentity(admin, replayed, expect, expectCount)
  const { counts } = await store.overview(1)
  expectCount('messages', counts.messages, replayed.messages.size)
  return problems
}

async function compareThreads(
  admin: StoreAdmin,
  replayed: Replayed,
  expect: Expect,
  expectCount: ExpectCount,
): Promise<void> {
  let threads = 0
  let leases = 0
  let reads = 0
  await eachPage(admin.threadsPage, '', (thread) => {
    threads += 1
    expect(`thread ${thread.thread_id}`, thread, replayed.threads.get(thread.thread_id)?.thread)
    return thread.thread_id
  })
  await eachPage(admin.leasesPage, '', (lease) => {
    leases += 1
    expect(`lease of ${lease.thread_id}`, lease, replayed.threads.get(lease.thread_id)?.lease)
    return lease.thread_id
  })
  await eachPage(admin.readsPage, null, (mark) => {
    reads += 1
    expect(`read mark of ${readKey(mark)}`, mark, replayed.reads.get(readKey(mark)))
    return mark
  })
  const leased = [...replayed.threads.values()].filter((state) => state.lease !== null)
  expectCount('threads', threads, replayed.threads.size)
  expectCount('read marks', reads, replayed.reads.size)
  expectCount('leases', leases, leased.length)
}

async function compareDeliveries(
  admin: StoreAdmin,
  { deliveries }: Replayed,
  expect: Expect,
  expectCount: ExpectCount,
): Promise<void> {
  let stored = 0
  await eachPage<Delivery, Delivery | null>(admin.deliveriesPage, null, (delivery) => {
    stored += 1
    const { thread_id, recipient, event_id, message_id } = delivery
    const want = deliveries
      .get(inboxKey(thread_id, recipient))
      ?.find((one) => one.event_id === event_id)
    expect(`delivery of ${message_id} to ${recipient}`, delivery, want)
    return delivery
  })
  let logged = 0
  for (const inbox of deliveries.values()) logged += inbox.length
  expectCount('deliveries', stored, logged)
}

async function comparePushes(
  admin: StoreAdmin,
  { pushes }: Replayed,
  expect: Expect,
  expectCount: ExpectCount,
): Promise<void> {
  let stored = 0
  await eachPage(admin.pushesPage, '', (push) => {
    stored += 1
    expect(`push ${push.thread_id}`, push, pushes.get(push.thread_id))
    return push.thread_id
  })
  expectCount('pushes', stored, pushes.size)
}

async function compareAgents(
  admin: StoreAdmin,
  { agents, people, wakes }: Replayed,
  expect: Expect,
  expectCount: ExpectCount,
): Promise<void> {
  const stored = { agents: 0, people: 0, wakes: 0 }
  // The settings of its wakes are one value to us: their words.
  const flat = (agent: Agent) => ({ ...agent, wake: JSON.stringify(agent.wake) })
  await eachPage(admin.agentsPage, '', (agent) => {
    stored.agents += 1
    const want = agents.get(agent.agent_id)
    expect(`agent ${agent.agent_id}`, flat(agent), want && flat(want))
    return agent.agent_id
  })
  await eachPage(admin.peoplePage, '', (person) => {
    stored.people += 1
    expect(`person ${person.person_id}`, person, people.get(person.person_id))
    return person.person_id
  })
  await eachPage(admin.wakesPage, '', (wake) => {
    stored.wakes += 1
    const want = wakes.get(wake.wake_id)
    expect(`wake ${wake.wake_id}`, withoutSigns(wake), want && withoutSigns(want))
    return wake.wake_id
  })
  expectCount('agents', stored.agents, agents.size)
  expectCount('people', stored.people, people.size)
  expectCount('wakes', stored.wakes, wakes.size)
}

async function compareIdentity(
  admin: StoreAdmin,
  { workspaces, tokens }: Replayed,
  expect: Expect,
  expectCount: ExpectCount,
): Promise<void> {
  const stored = { workspaces: 0, tokens: 0 }
  await eachPage(admin.workspacesPage, '', (workspace) => {
    stored.workspaces += 1
    const { workspace_id } = workspace
    expect(`workspace ${workspace_id}`, workspace, workspaces.get(workspace_id))
    return workspace_id
  })
  const flat = (token: Token) => ({ ...token, sets: token.sets.join() })
  await eachPage(admin.tokensPage, '', (token) => {
    stored.tokens += 1
    const want = tokens.get(token.token_id)
    expect(`token ${token.token_id}`, flat(token), want && flat(want))
    return token.token_id
  })
  expectCount('workspaces', stored.workspaces, workspaces.size)
  expectCount('tokens', stored.tokens, tokens.size)
}
