import { isAvailable } from '../../core/agents/agent.ts'
import { TOKENS } from '../../core/identity/token-record.ts'
import { type Finding, type Keeper, LOADING } from '../../core/keeping/keeper.ts'
import { LONG_WAIT_SECONDS } from '../../core/requests/request-expiry.ts'
import type { Store } from '../../core/store.ts'
import { hasLapsed, isLive } from '../../core/threads/lease.ts'
import { epochMs, type Instant, plusSeconds } from '../../core/time.ts'
import { WAKES } from '../../core/waking/wake-record.ts'
import { aFlag, aList, aRow, aText, CURSOR, maybe } from '../kit/answer.ts'
import { relative } from '../kit/drawing/text.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { checkLog, eachPage, MOST_PROBLEMS } from './doctor-log.ts'

export const doctor = query({
  name: 'doctor',
  example: 'doctor',
  summary: 'Check the store, and explain what to do about each finding.',
  about:
    'Checks the file or the server, replays the whole log, compares it with the tables, and looks for what needs attention: lapsed leases, mail and queues that no one reads, wakes that hang, a clock that was ahead.',
  fields: {},
  set: 'none',
  callers: OPERATORS,
  refusals: [],
  async run({ store, digest, progress }) {
    const keeper = await store.keeper()
    const findings = [
      ...(await keeper.inspect()),
      await checkLog({ store, digest, progress }, keeper),
      ...(await checkStanding(store, keeper)),
      await checkClock(store, keeper),
      await checkLoad(keeper),
      identityNote(store),
    ]
    return {
      healthy: findings.every((finding) => finding.ok || finding.warning),
      findings: findings.map(({ check, ok, detail, ...more }) =>
        ok ? { check, ok, detail } : { check, ok, detail, ...more },
      ),
      next_event_id: await store.lastEventId(),
    }
  },
  takesLong: () => 'checking the store',
  verdict: ({ healthy }) => (healthy ? undefined : 'store_unusable'),
  answer: {
    healthy: aFlag('whether nothing is broken'),
    findings: aList(
      aRow<Finding>('finding', 'one thing that was looked at', {
        check: aText('what'),
        ok: aFlag('whether the check passed'),
        detail: aText('what was found'),
        warning: maybe(aFlag('worth acting on, but nothing is broken')),
        remedy: maybe(aText('what to do')),
      }),
      'everything that was checked',
    ),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawFindings(answer, page),
})

async function checkLoad(keeper: Keeper): Promise<Finding> {
  const loading = (await keeper.setting(LOADING)) !== null
  return {
    check: 'import',
    ok: !loading,
    detail: loading ? 'an import did not finish' : 'no import was left half done',
    remedy: 'remove this store and import again',
  }
}

// Reported on every run, because people run doctor when they wonder what is protected.
function identityNote(store: Store): Finding {
  return {
    check: 'identity',
    ok: true,
    detail: `anyone who may write ${store.place} may act under any name; names here are not proof`,
  }
}

/** Small corrections of the clock are normal and not worth reporting. */
const SLACK_SECONDS = 60

export async function checkClock(store: Store, keeper: Keeper): Promise<Finding> {
  const now = await store.now()
  const latest = plusSeconds(now, SLACK_SECONDS)
  const event = await keeper.firstEventAfter(latest)
  const granted = [
    ...(await leasesFrom(keeper, latest, now)),
    ...(await tokensFrom(keeper, latest)),
  ]
  if (event === null && granted.length === 0) {
    return { check: 'clock', ok: true, detail: 'no event is ahead of the clock' }
  }
  const parts: string[] = []
  if (event !== null) {
    const { event_id, event_type, agent, created_at } = event
    const ahead = relative(created_at, epochMs(now))
    parts.push(
      `event ${event_id} (${event_type} by ${agent}) is dated ${created_at}, ${ahead} by the clock, which says ${now}; until then new events get that time, and what lapses goes by the clock`,
    )
  }
  if (granted.length > 0) {
    const named = granted.slice(0, MOST_PROBLEMS).join(', ')
    parts.push(`granted while the clock was ahead, and valid for longer than asked: ${named}`)
  }
  return {
    check: 'clock',
    ok: false,
    detail: parts.join('; '),
    warning: true,
    remedy:
      "set the clock if it is wrong now; to end what was granted, let its holder renew the lease, which counts from now, or use 'inbox cancel' or 'inbox token revoke'",
  }
}

async function leasesFrom(keeper: Keeper, after: Instant, now: Instant): Promise<string[]> {
  const found: string[] = []
  await eachPage(keeper.leasesPage, '', (lease) => {
    const { thread_id, agent_id, expires_at, lease_seconds } = lease
    if (isLive(lease, now) && plusSeconds(expires_at, -lease_seconds) > after) {
      found.push(`the lease of ${thread_id} (${agent_id}) until ${expires_at}`)
    }
    return thread_id
  })
  return found
}

async function tokensFrom(keeper: Keeper, after: Instant): Promise<string[]> {
  const found: string[] = []
  const page = (from: string, limit: number) => keeper.recordsPage(TOKENS, from, limit)
  await eachPage(page, '', ({ token_id, kind, issued_at, expires_at, revoked_at }) => {
    if (issued_at > after && revoked_at === null && expires_at !== null) {
      found.push(`${kind} ${token_id} until ${expires_at}`)
    }
    return token_id
  })
  return found
}

/** An available agent should read its mail within a day, and a role's queue should be taken within an hour. */
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
    none: 'no mail to a role has waited for an hour',
    some: (n) => `${n} ${n === 1 ? 'role has' : 'roles have'} mail that no one takes`,
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
    some: (n) => `${n} wakes began and never reported how they ended`,
    remedy: "run 'inbox wake run', which ends what has hung and tries again",
  })
}

async function checkRuns(store: Store): Promise<Finding> {
  const unasked = await store.unaskedRuns(MOST_PROBLEMS + 1)
  const stuck = unasked.map(({ agent_run_id, agent_id }) => `${agent_run_id} (${agent_id})`)
  return standing('reviews', stuck, {
    none: 'every paused agent run has a request that can be decided',
    some: (n) =>
      `${n > MOST_PROBLEMS ? `more than ${MOST_PROBLEMS}` : n} wait for a decision that no one can make`,
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
