// Findings about what was left standing: nothing is broken, but somebody should look.

import { isAvailable } from '../../core/agents/agent.ts'
import type { Finding, Keeper } from '../../core/keeping/keeper.ts'
import { LONG_WAIT_SECONDS } from '../../core/requests/request-expiry.ts'
import type { Store } from '../../core/store.ts'
import { hasLapsed } from '../../core/threads/lease.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { WAKES } from '../../core/waking/wake-record.ts'
import { eachPage, MOST_PROBLEMS } from './doctor-pages.ts'

/** An agent that is there looks at its mail within a day, and somebody takes a queue within an hour. */
const DAY = 86_400
const HOUR = 3600
const QUEUE = 'role:'
const MOST_WAITING = 1000

export async function checkStanding(store: Store, keeper: Keeper): Promise<Finding[]> {
  const now = await store.now()
  return [
    await checkLeases(keeper, now),
    await checkMail(store, keeper, now),
    await checkQueues(keeper, now),
    await checkWakes(keeper, now),
    await checkRuns(store),
    await checkRequests(store, now),
  ]
}

async function checkLeases(keeper: Keeper, now: Instant): Promise<Finding> {
  const stuck: string[] = []
  await eachPage(keeper.leasesPage, '', (lease) => {
    if (hasLapsed(lease, now)) stuck.push(`${lease.thread_id} (${lease.agent_id})`)
    return lease.thread_id
  })
  return standing('leases', stuck, {
    none: 'no lapsed lease is waiting to be taken back',
    some: (n) => `${n} lapsed and not taken back`,
    remedy: "run 'inbox sweep', or claim the thread",
  })
}

async function checkMail(store: Store, keeper: Keeper, now: Instant): Promise<Finding> {
  const waiting = await keeper.mailWaiting(plusSeconds(now, -DAY))
  const stuck: string[] = []
  for (const { recipient, n, since } of waiting) {
    const agent = await store.agent(recipient)
    if (agent !== null && isAvailable(agent, now)) stuck.push(`${recipient} (${n} since ${since})`)
  }
  return standing('mail', stuck, {
    none: 'no available agent has unread mail older than a day',
    some: (n) => `${n} of the available agents have unread mail older than a day`,
    remedy: "let them read it with 'inbox mail read', or turn them off with 'inbox agent status'",
  })
}

async function checkQueues(keeper: Keeper, now: Instant): Promise<Finding> {
  const waiting = await keeper.mailWaiting(plusSeconds(now, -HOUR))
  const stuck = waiting
    .filter(({ recipient }) => recipient.startsWith(QUEUE))
    .map(({ recipient, n, since }) => `${recipient} (${n} since ${since})`)
  return standing('queues', stuck, {
    none: 'no mail has waited for somebody of a role for an hour',
    some: (n) => `${n} ${n === 1 ? 'role has' : 'roles have'} mail that nobody takes`,
    remedy: "register an agent for the role with 'inbox agent register NAME --role ROLE'",
  })
}

async function checkWakes(keeper: Keeper, now: Instant): Promise<Finding> {
  const stuck: string[] = []
  const wakesPage = (after: string, limit: number) => keeper.recordsPage(WAKES, after, limit)
  await eachPage(wakesPage, '', (wake) => {
    if (wake.ended_at === null && wake.expires_at <= now) {
      stuck.push(`${wake.wake_id} (${wake.agent_id})`)
    }
    return wake.wake_id
  })
  return standing('wakes', stuck, {
    none: 'no wake hangs',
    some: (n) => `${n} wakes began, and nobody has said how they ended`,
    remedy: "run 'inbox wake run', which ends what has hung and tries again",
  })
}

async function checkRuns(store: Store): Promise<Finding> {
  const unasked = await store.unaskedRuns(MOST_PROBLEMS + 1)
  const stuck = unasked.map(({ agent_run_id, agent_id }) => `${agent_run_id} (${agent_id})`)
  return standing('reviews', stuck, {
    none: 'every paused agent run has a request that can be decided',
    some: (n) =>
      `${n > MOST_PROBLEMS ? `more than ${MOST_PROBLEMS}` : n} wait for a decision that nobody can make`,
    remedy: "run 'inbox request backfill', which makes their requests",
  })
}

async function checkRequests(store: Store, now: Instant): Promise<Finding> {
  const before = plusSeconds(now, -LONG_WAIT_SECONDS)
  const waiting = await store.waitingRequests({ before, limit: MOST_WAITING })
  const stuck = waiting.map(({ request_id, requester }) => `${request_id} (${requester})`)
  return standing('requests', stuck, {
    none: 'no request has waited for a person for a week',
    some: (n) => `${n} ${n === 1 ? 'request has' : 'requests have'} waited for a week`,
    remedy:
      "look at them with 'inbox request list', and decide, or cancel them with 'inbox cancel-request'",
  })
}

type Sentences = { none: string; some: (n: number) => string; remedy: string }

function standing(check: string, stuck: string[], says: Sentences): Finding {
  const named = stuck.slice(0, MOST_PROBLEMS).join(', ')
  return {
    check,
    ok: stuck.length === 0,
    detail: stuck.length === 0 ? says.none : `${says.some(stuck.length)}: ${named}`,
    warning: true,
    remedy: says.remedy,
  }
}
