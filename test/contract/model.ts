// Mailroom in a few pages, as someone who has read what it promises, but not its source, would write it: a list, a
// clock, no store. The random walk compares the real thing with it, step by step.

export type Kind = 'progress' | 'question' | 'answer' | 'control'
/** The lease token that a call presents: none, the thread's newest, the one before, or a made-up one. */
export type Proof = 'none' | 'newest' | 'older' | 'wrong'
type By = { agent: string; thread: number; key?: string }

export type Step =
  | { op: 'send'; agent: string; to: string; priority: 'high' | 'normal' | 'low'; key?: string }
  | ({ op: 'append' | 'reply'; kind: Kind } & By)
  | ({ op: 'claim'; seconds: number; proof: Proof } & By)
  | { op: 'next'; agent: string; seconds: number; key?: string }
  | ({ op: 'renew'; seconds: number; proof: Proof } & By)
  | ({ op: 'update'; status: 'in_progress' | 'blocked'; proof: Proof } & By)
  | ({ op: 'done' | 'fail'; proof: Proof } & By)
  | ({ op: 'cancel' | 'read' } & By)
  | { op: 'sweep'; key?: string }
  | { op: 'fetch'; agent: string; unread: boolean }
  | { op: 'list'; agent: string }

type Said = { seq: number; from: string; to: string; kind: string }
type Answered = Pick<Said, 'seq' | 'from'>
type Lease = {
  agent: string
  token: number
  generation: number
  seconds: number
  until: number
  over: boolean
}
type Thread = {
  n: number
  by: string
  to: string
  /** The address as written. Work for a role goes back to the role when its lease lapses. */
  sentTo: string
  status: string
  priority: string
  made: number
  moved: number
  said: Said[]
  /** The questions that have an answer. */
  answered: Set<number>
  lease?: Lease
  tokens: number[]
  held: Set<string>
  read: Map<string, number>
  /** The messages of the thread, with the state of each. */
  sent: Sent[]
}
type Sent = Said & { place: number; state: 'queued' | 'shown' | 'read' | 'over' }
export type Logged = {
  type: string
  agent: string
  status: string
  n: number
  at: number
  seq: number
}

export const NOWHERE = 9
export const ROLE = 'role:builder'
export const BUILDERS = ['ann', 'bob']

class No extends Error {}
const RANK = ['high', 'normal', 'low']
const FINISHED = ['done', 'failed', 'cancelled']

export class Model {
  now = 0
  threads: Thread[] = []
  log: Logged[] = []
  #tokens = 0
  #places = 0
  #keys = new Map<string, { request: string; answer: unknown }>()

  /** The answer that the real store must give: a view of what it shows, or a refusal's code. */
  take(step: Step, waitMs: number): unknown {
    this.now += waitMs
    const by = step.op === 'sweep' ? 'system' : step.agent
    const key = 'key' in step && step.op !== 'read' ? step.key : undefined
    const request = JSON.stringify([{ ...step, thread: 0, proof: 0, key: 0 }, this.aim(step)])
    const kept = key && this.#keys.get(`${by} ${key}`)
    // A reply to a missing thread is refused before any other check, so no one learns of threads they can't see.
    if (kept && step.op === 'reply' && !this.threads[this.aim(step).n]) return 'not_found'
    if (kept && kept.request !== request) return 'invalid_state'
    if (kept) {
      this.#showStop(step)
      return kept.answer
    }
    const before = this.log.length
    try {
      const answer = JSON.parse(JSON.stringify(this.#act(step)))
      if (key && this.log.length > before) this.#keys.set(`${by} ${key}`, { request, answer })
      this.#showStop(step)
      return answer
    } catch (error) {
      if (error instanceof No) return error.message
      throw error
    }
  }

  /**
   * The thread and the lease token that a step refers to now, both by number. NOWHERE is a thread that does not
   * exist.
   */
  aim(step: Step): { n: number; token: number | undefined } {
    const isThere = 'thread' in step && step.thread < NOWHERE
    const n = isThere ? step.thread % Math.max(1, this.threads.length) : -1
    const tokens = this.threads[n]?.tokens ?? []
    const proof = 'proof' in step ? step.proof : 'none'
    if (proof === 'wrong') return { n, token: -1 }
    return { n, token: proof === 'none' ? undefined : tokens.at(proof === 'newest' ? -1 : -2) }
  }

  /** `holder` means the last holder of the thread. Random agents alone would seldom get anything done. */
  settle<S extends Step>(step: S): S {
    if (!('agent' in step) || step.agent !== 'holder') return step
    return { ...step, agent: this.threads[this.aim(step).n]?.lease?.agent ?? 'ann' }
  }

  #act(step: Step): unknown {
    if (step.op === 'send') return this.#send(step)
    if (step.op === 'sweep') return this.#sweep()
    if (step.op === 'fetch') return this.#candidates(step).map((t) => [t.n, leaseView(t, this.now)])
    if (step.op === 'list') {
      return this.threads.filter((t) => t.by === step.agent || t.to === step.agent).map(view)
    }
    if (step.op === 'next') {
      const [best] = this.#candidates({ agent: step.agent, unread: false })
      return best ? this.#claim(best, step) : null
    }
    const { n, token } = this.aim(step)
    const t = this.threads[n]
    if (!t) throw new No('not_found')
    if (step.op === 'read') return this.#read(t, step.agent)
    if (step.op === 'claim') {
      if (this.#isLive(t) && token === t.lease?.token) return claimView(t)
      if (FINISHED.includes(t.status)) throw new No('invalid_state')
      if (this.#isLive(t)) throw new No('lease_conflict')
      return this.#claim(t, step)
    }
    const end = { done: 'done', fail: 'failed', cancel: 'cancelled' }[step.op as 'done']
    const again = step.op !== 'cancel' && token !== undefined && token === t.lease?.token
    if (end && end === t.status && again) return { thread: view(t), said: t.said.at(-1) }
    if (FINISHED.includes(t.status)) throw new No('invalid_state')
    if ('proof' in step) this.#mustHold(t, step.agent, token)
    const other = step.agent === t.by ? t.to : t.by
    switch (step.op) {
      case 'append':
      case 'reply': {
        const question = step.kind === 'answer' ? openQuestion(t, step.agent) : undefined
        if (question?.from === t.to && t.status === 'blocked') t.status = 'in_progress'
        const to = question ? hearer(t, step.agent, question.from) : other
        return this.#say(t, step.agent, step.op, step.kind, to, question)
      }
      case 'renew':
        Object.assign(t.lease as Lease, {
          until: this.now + step.seconds * 1000,
          seconds: step.seconds,
        })
        this.#say(t, step.agent, 'renew', 'event', t.by)
        return { thread: view(t), lease: leaseOf(t) }
      case 'update':
        t.status = step.status
        Object.assign(t.lease as Lease, { until: this.now + (t.lease as Lease).seconds * 1000 })
        return {
          ...this.#say(
            t,
            step.agent,
            'update',
            step.status === 'blocked' ? 'question' : 'progress',
            t.by,
          ),
          lease: leaseOf(t),
        }
      default:
        t.status = end
        if (t.lease) t.lease.over = true
        return step.op === 'cancel'
          ? this.#say(t, step.agent, 'cancel', 'control', step.agent === t.to ? t.by : t.to)
          : this.#say(t, step.agent, step.op, 'result', t.by)
    }
  }

  #send({ agent, to, priority }: { agent: string; to: string; priority: string }) {
    const n = this.threads.length
    const t: Thread = {
      n,
      by: agent,
      to,
      sentTo: to,
      status: 'pending',
      priority,
      made: this.now,
      moved: this.now,
      said: [],
      tokens: [],
      held: new Set<string>(),
      read: new Map<string, number>(),
      sent: [],
      answered: new Set<number>(),
    }
    this.threads.push(t)
    return this.#say(t, agent, 'send', 'task', to)
  }

  #say(t: Thread, from: string, type: string, kind: string, to: string, question?: Answered) {
    const said = { seq: t.said.length + 1, from, to, kind }
    t.said.push(said)
    const isAnswer = type === 'reply' && kind === 'answer'
    if (type !== 'renew') this.#settle(t, from, question?.seq ?? (isAnswer ? 'latest' : undefined))
    if (question) t.answered.add(question.seq)
    const isForSomebody = kind !== 'event' && !(type === 'cancel' && to === ROLE) && to !== from
    if (isForSomebody) t.sent.push({ ...said, place: this.#places++, state: 'queued' })
    t.moved = this.now
    this.#note(t, from, type, said.seq)
    return { thread: view(t), said }
  }

  /**
   * By writing, an agent acts on what it was shown and on the question that it answers. If no question is open, the
   * answer counts for the latest question, unless a question was shown.
   */
  #settle(t: Thread, from: string, answers: number | 'latest' | undefined): void {
    const own = t.sent.filter(({ to }) => to === from)
    const asked = own.filter(({ kind }) => kind === 'question')
    const latest = asked.some(isShown) ? undefined : Math.max(...asked.map(({ seq }) => seq))
    const answered = answers === 'latest' ? latest : answers
    for (const one of own) if (isShown(one) || one.seq === answered) one.state = 'over'
  }

  /** The assignee of a canceled thread learns of the cancellation from the next answer it gets about the thread. */
  #showStop(step: Step): void {
    const t = 'thread' in step ? this.threads[this.aim(step).n] : undefined
    const last = t?.sent.at(-1)
    if (t?.status !== 'cancelled' || last === undefined || !('agent' in step)) return
    const isFor = last.seq === t.said.length && last.to === step.agent && t.to === step.agent
    if (isFor && isUnread(last)) last.state = 'shown'
  }

  #note(t: Thread, agent: string, type: string, seq: number): void {
    this.log.push({ type: `thread_${type}`, agent, status: t.status, n: t.n, at: this.now, seq })
  }

  #claim(t: Thread, { agent, seconds }: { agent: string; seconds: number }) {
    const token = this.#tokens++
    t.status = 'claimed'
    this.#takeOver(t, agent)
    t.to = agent
    t.tokens.push(token)
    t.held.add(agent)
    const generation = (t.lease?.generation ?? 0) + 1
    const until = this.now + seconds * 1000
    t.lease = { agent, token, generation, seconds, until, over: false }
    this.#say(t, agent, 'claim', 'event', t.by)
    return claimView(t)
  }

  /**
   * Mail queued for the former holders now belongs to the claimer. What they had already received, and all other
   * mail, is over.
   */
  #takeOver(t: Thread, agent: string): void {
    if (t.to !== agent) {
      const unread = t.sent.filter(isUnread)
      const others = unread.map(({ to }) => to).filter((to) => to !== t.by && to !== agent)
      const losers = new Set([t.to, ...(t.to === ROLE ? others : [])])
      for (const one of unread.filter(({ to }) => losers.has(to))) {
        const isKnown = one.seq === 1 || one.from === agent || one.seq <= (t.read.get(agent) ?? 0)
        const isTaken = one.state === 'queued' && one.to !== t.by
        if (isTaken && !isKnown) one.to = agent
        else one.state = 'over'
      }
    }
    for (const one of t.sent) if (one.to === agent && one.seq === 1) one.state = 'over'
  }

  #mustHold(t: Thread, agent: string, token: number | undefined): void {
    if (this.#isLive(t)) {
      if (token === undefined ? t.lease?.agent === agent : t.lease?.token === token) return
      throw new No('lease_conflict')
    }
    throw new No(t.held.has(agent) || token !== undefined ? 'lease_conflict' : 'invalid_state')
  }

  #read(t: Thread, agent: string) {
    const shown = { thread: view(t), said: t.said, lease: leaseView(t, this.now) }
    const last = t.said.length
    if ((t.read.get(agent) ?? 0) < last) {
      t.read.set(agent, last)
      for (const one of t.sent) if (one.to === agent && isUnread(one)) one.state = 'read'
      this.#note(t, agent, 'read', 0)
    }
    return shown
  }

  #sweep() {
    const lapsed = this.threads.filter((t) => this.#hasLapsed(t))
    for (const t of lapsed) {
      Object.assign(t, { status: 'pending', moved: this.now })
      if (t.sentTo === ROLE) t.to = ROLE
      Object.assign(t.lease as Lease, { over: true, generation: (t.lease?.generation ?? 0) + 1 })
      this.#note(t, 'system', 'lapse', 0)
    }
    return lapsed.map(view)
  }

  #candidates({ agent, unread }: { agent: string; unread: boolean }): Thread[] {
    const hasNews = ({ sent }: Thread) => sent.some((one) => one.to === agent && isUnread(one))
    return (
      this.threads
        .filter((t) =>
          t.status === 'pending' ? isFor(t, agent) : t.lease?.agent === agent && this.#hasLapsed(t),
        )
        // The model doesn't track whose turn it is to get mail about work for a role.
        .filter((t) => !unread || (t.to !== ROLE && hasNews(t)))
        .sort((a, b) => RANK.indexOf(a.priority) - RANK.indexOf(b.priority) || a.made - b.made)
    )
  }

  #isLive(t: Thread): boolean {
    return t.lease !== undefined && !t.lease.over && this.now < t.lease.until
  }

  #hasLapsed(t: Thread): boolean {
    return t.lease !== undefined && !t.lease.over && this.now >= t.lease.until
  }
}

/** Another agent's open question: the one that was shown, or else the worker's, or else the latest. */
function openQuestion(t: Thread, by: string): Said | undefined {
  const open = t.said.filter(({ seq, from, kind }) => {
    return kind === 'question' && from !== by && !t.answered.has(seq)
  })
  const shown = t.sent.filter((one) => one.to === by && isShown(one)).map(({ seq }) => seq)
  const last = (isMeant: (one: Said) => boolean) => open.findLast(isMeant)
  return (
    last(({ seq, from }) => shown.includes(seq) && from === t.to) ??
    last(({ seq }) => shown.includes(seq)) ??
    last(({ from }) => from === t.to) ??
    open.at(-1)
  )
}

/** The asker, or the worker that has taken over the asker's work. */
function hearer(t: Thread, from: string, asker: string): string {
  const isFormer = asker !== t.by && asker !== t.to && t.held.has(asker)
  return isFormer && from !== t.to ? t.to : asker
}

function isShown({ state }: Sent): boolean {
  return state === 'shown' || state === 'read'
}

function isUnread({ state }: Sent): boolean {
  return state === 'queued' || state === 'shown'
}

/** An agent that writes to its own role means the other members. */
function isFor({ by, to }: Thread, agent: string): boolean {
  return to === agent || (to === ROLE && BUILDERS.includes(agent) && by !== agent)
}

function view({ n, by, to, status, priority, made, moved, said }: Thread) {
  return { n, by, to, status, priority, made, moved, count: said.length }
}

function leaseOf({ lease }: Thread) {
  if (!lease) return null
  const { agent, token, generation, until } = lease
  return { agent, token, generation, until }
}

function leaseView({ lease }: Thread, now: number) {
  if (!lease || lease.over) return null
  const { agent, generation, until } = lease
  return { agent, generation, until, live: now < until }
}

/** The message that asks for the work is always the first, because every thread here begins with a task. */
function claimView(t: Thread) {
  return { thread: view(t), lease: leaseOf(t), said: t.said[0] }
}
