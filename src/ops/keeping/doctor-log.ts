// The log against the tables: every table that the log leads to must hold what replaying it gives.
// Sightings, turns and the digests of tokens are not among them: they are outside the log.
//
// It is done slice by slice, a slice being some threads that follow each other: no more than one is
// in memory, and others may be writing: a slice is compared again when the log has moved meanwhile.

import type { Agent } from '../../core/agents/agent.ts'
import type { Token } from '../../core/identity/token.ts'
import type { DeliveryPlace, Finding, Keeper, ReadPlace } from '../../core/keeping/keeper.ts'
import {
  differences,
  emptyReplay,
  inboxKey,
  type Replayed,
  readKey,
  replayEvent,
} from '../../core/keeping/replay.ts'
import type { Store } from '../../core/store.ts'
import { withoutSigns } from '../../core/waking/wake.ts'
import { eachPage, MOST_PROBLEMS } from './doctor-pages.ts'

const PAGE = 1000
const ATTEMPTS = 5

/** Threads after one, up to another or to the end. */
type Range = { after: string; upto: string | undefined }
type Slice = Range & { replayed: Replayed; events: number }
/** How many of each are stored, and how many the log leads to. */
type Counts = Record<string, { stored: number; logged: number }>
type Compared = { problems: string[]; counts: Counts }

export async function checkLog(store: Store, keeper: Keeper): Promise<Finding> {
  const problems: string[] = []
  const totals: Counts = {}
  let events = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { slice, compared } = await checkSlice(store, keeper, after)
    events += slice.events
    problems.push(...compared.problems.slice(0, MOST_PROBLEMS - problems.length))
    for (const [what, { stored, logged }] of Object.entries(compared.counts)) {
      totals[what] ??= { stored: 0, logged: 0 }
      totals[what].stored += stored
      totals[what].logged += logged
    }
    after = slice.upto
  }
  for (const [what, { stored, logged }] of Object.entries(totals)) {
    if (stored !== logged) problems.push(`${stored} ${what} stored, ${logged} in the log`)
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

/** What is compared is what stood still while it was compared. */
async function checkSlice(store: Store, keeper: Keeper, after: string) {
  for (let attempt = 1; ; attempt++) {
    const before = await store.lastEventId()
    const slice = await replaySlice(keeper, after)
    const compared = await compare(keeper, slice)
    const isEven = Object.values(compared.counts).every((one) => one.stored === one.logged)
    if (compared.problems.length === 0 && isEven) return { slice, compared }
    const isStill = (await store.lastEventId()) === before
    if (isStill || attempt === ATTEMPTS) return { slice, compared }
  }
}

/** Whole threads, as many as a page of the log holds; the first slice has all that is of no thread. */
async function replaySlice(keeper: Keeper, after: string): Promise<Slice> {
  const replayed = emptyReplay()
  let events = 0
  let place = { thread_id: after, event_id: after === '' ? 0 : Number.MAX_SAFE_INTEGER }
  for (;;) {
    const page = await keeper.logByThread(place, PAGE)
    const last = page.at(-1)?.event
    const isEnd = last === undefined || page.length < PAGE
    // The rest of the last one may be on the next page.
    const whole = isEnd ? page : page.filter(({ event }) => event.thread_id !== last.thread_id)
    const taken = whole.length > 0 ? whole : page
    for (const { event, message } of taken) replayEvent(replayed, event, message)
    events += taken.length
    if (isEnd) return { after, upto: undefined, replayed, events }
    const upto = whole.at(-1)?.event.thread_id
    // One thread fills the page, or what is of none does.
    if (upto) return { after, upto, replayed, events }
    place = (taken.at(-1) ?? { event: place }).event
  }
}

/** Comes after every name. */
const LAST = '\u{10ffff}'

async function compare(keeper: Keeper, slice: Slice): Promise<Compared> {
  const { after, upto, replayed } = slice
  const problems = replayed.problems
  const counts: Counts = {
    messages: {
      stored: await keeper.messagesBetween(after, upto),
      logged: replayed.messages.size,
    },
  }
  const comparing = (what: string, logged: number) => {
    const count = { stored: 0, logged }
    counts[what] = count
    return <T extends object>(name: string, have: T, want: T | null | undefined) => {
      count.stored += 1
      const fields = want ? differences(have, want) : ['everything']
      if (fields.length > 0) problems.push(`${name} differs from the log in ${fields.join(', ')}`)
    }
  }
  await compareThreads(keeper, slice, comparing)
  await compareDeliveries(keeper, slice, comparing)
  await comparePushes(keeper, slice, comparing)
  if (after === '') {
    await compareAgents(keeper, slice, comparing)
    await compareIdentity(keeper, slice, comparing)
  }
  return { problems, counts }
}

type Comparing = (
  what: string,
  logged: number,
) => <T extends object>(name: string, have: T, want: T | null | undefined) => void

async function compareThreads(
  keeper: Keeper,
  { after, upto, replayed }: Slice,
  comparing: Comparing,
): Promise<void> {
  const { threads, reads } = replayed
  const leased = [...threads.values()].filter((state) => state.lease !== null)
  const expectThread = comparing('threads', threads.size)
  const expectLease = comparing('leases', leased.length)
  const expectRead = comparing('read marks', reads.size)
  const threadsPage = (from: string, limit: number) => keeper.threadsPage(from, limit, upto)
  await eachPage(threadsPage, after, (thread) => {
    const { thread_id } = thread
    expectThread(`thread ${thread_id}`, thread, threads.get(thread_id)?.thread)
    return thread_id
  })
  const leasesPage = (from: string, limit: number) => keeper.leasesPage(from, limit, upto)
  await eachPage(leasesPage, after, (lease) => {
    const { thread_id } = lease
    expectLease(`lease of ${thread_id}`, lease, threads.get(thread_id)?.lease)
    return thread_id
  })
  const readsPage = (from: ReadPlace, limit: number) => keeper.readsPage(from, limit, upto)
  await eachPage(readsPage, { thread_id: after, agent_id: LAST }, (mark) => {
    expectRead(`read mark of ${readKey(mark)}`, mark, reads.get(readKey(mark)))
    return mark
  })
}

async function compareDeliveries(
  keeper: Keeper,
  { after, upto, replayed: { deliveries } }: Slice,
  comparing: Comparing,
): Promise<void> {
  let logged = 0
  for (const inbox of deliveries.values()) logged += inbox.length
  const expect = comparing('deliveries', logged)
  const page = (from: DeliveryPlace, limit: number) => keeper.deliveriesPage(from, limit, upto)
  const start: DeliveryPlace = { thread_id: after, recipient: LAST, event_id: 0 }
  await eachPage(page, start, (delivery) => {
    const { thread_id, recipient, event_id, message_id } = delivery
    const want = deliveries
      .get(inboxKey(thread_id, recipient))
      ?.find((one) => one.event_id === event_id)
    expect(`delivery of ${message_id} to ${recipient}`, delivery, want)
    return delivery
  })
}

async function comparePushes(
  keeper: Keeper,
  { after, upto, replayed: { pushes } }: Slice,
  comparing: Comparing,
): Promise<void> {
  const expect = comparing('pushes', pushes.size)
  const pushesPage = (from: string, limit: number) => keeper.pushesPage(from, limit, upto)
  await eachPage(pushesPage, after, (push) => {
    expect(`push ${push.thread_id}`, push, pushes.get(push.thread_id))
    return push.thread_id
  })
}

async function compareAgents(
  keeper: Keeper,
  { replayed: { agents, people, wakes } }: Slice,
  comparing: Comparing,
): Promise<void> {
  const expectAgent = comparing('agents', agents.size)
  const expectPerson = comparing('people', people.size)
  const expectWake = comparing('wakes', wakes.size)
  // The settings of its wakes are one value to us: their words.
  const flat = (agent: Agent) => ({ ...agent, wake: JSON.stringify(agent.wake) })
  await eachPage(keeper.agentsPage, '', (agent) => {
    const want = agents.get(agent.agent_id)
    expectAgent(`agent ${agent.agent_id}`, flat(agent), want && flat(want))
    return agent.agent_id
  })
  await eachPage(keeper.peoplePage, '', (person) => {
    expectPerson(`person ${person.person_id}`, person, people.get(person.person_id))
    return person.person_id
  })
  await eachPage(keeper.wakesPage, '', (wake) => {
    const want = wakes.get(wake.wake_id)
    expectWake(`wake ${wake.wake_id}`, withoutSigns(wake), want && withoutSigns(want))
    return wake.wake_id
  })
}

async function compareIdentity(
  keeper: Keeper,
  { replayed: { workspaces, tokens } }: Slice,
  comparing: Comparing,
): Promise<void> {
  const expectWorkspace = comparing('workspaces', workspaces.size)
  const expectToken = comparing('tokens', tokens.size)
  await eachPage(keeper.workspacesPage, '', (workspace) => {
    const { workspace_id } = workspace
    expectWorkspace(`workspace ${workspace_id}`, workspace, workspaces.get(workspace_id))
    return workspace_id
  })
  const flat = (token: Token) => ({ ...token, sets: token.sets.join() })
  await eachPage(keeper.tokensPage, '', (token) => {
    const want = tokens.get(token.token_id)
    expectToken(`token ${token.token_id}`, flat(token), want && flat(want))
    return token.token_id
  })
}
