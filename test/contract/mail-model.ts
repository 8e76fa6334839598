// A small model of mail, as if written by someone who has read what mail promises but not its source: agents, messages,
// and the state of each message for each recipient.

type Status = 'running' | 'idle' | 'dormant' | 'off'
export type State = 'queued' | 'presented' | 'read' | 'acted' | 'bounced' | 'expired'

export type Step =
  | { op: 'register'; agent: string; role: string }
  | { op: 'declare'; agent: string; status: Status }
  | { op: 'send'; agent: string; to: string; type: 'question' | 'cancel'; seconds?: number }
  | { op: 'answer'; agent: string; message: number }
  | { op: 'read' | 'peek' | 'markAll'; agent: string }
  | { op: 'mark'; agent: string; message: number }
  | { op: 'sweep' }

type Call = Extract<Step, { agent: string }>
/** Calls that record a sighting of their caller if they changed something. */
const CALLS: Step['op'][] = ['send', 'answer', 'mark', 'markAll']

type Agent = { role: string; declared?: Status; declaredAt: number; seenAt: number }
export type Message = { n: number; seq: number; from: string; to: string; type: string }
export type Delivery = {
  recipient: string
  message: number
  state: State
  /** The delivery's position in the order of sending. */
  place: number
  until: number
}
export type Logged = { type: string; agent: string; n: number; at: number }

export const NOBODY_WROTE = 99
const NEVER = Number.POSITIVE_INFINITY
const EVIDENCE_MS = 900_000
const SIGHT_MS = 20_000
const UNSEEN = { role: '', declaredAt: -NEVER, seenAt: -NEVER }

class No extends Error {}

export class MailModel {
  now = 0
  agents = new Map<string, Agent>()
  messages: Message[] = []
  deliveries: Delivery[] = []
  log: Logged[] = []
  #threads: number[] = []
  #marks = new Map<string, number>()
  #turns = new Map<string, string>()
  #places = 0

  /** Returns what the real store must return: a view of what it shows, or a refusal's code. */
  take(step: Step, waitMs: number): unknown {
    this.now += waitMs
    try {
      const before = this.log.length
      // A reader gets a stop message along with what it reads, before any of that counts as presented.
      const heard = step.op === 'read' ? this.#stopFor(step.agent) : undefined
      const answer = JSON.parse(JSON.stringify(this.#act(step)))
      if (CALLS.includes(step.op) && this.log.length > before) this.#sight((step as Call).agent)
      // A name given as a positional argument is the subject of a call, not its caller.
      if ('agent' in step && step.op !== 'register' && step.op !== 'declare') {
        const stop = step.op === 'read' ? heard : this.#stopFor(step.agent)
        if (stop?.state === 'queued') this.#present(step.agent, [stop])
      }
      return answer
    } catch (error) {
      if (error instanceof No) return error.message
      throw error
    }
  }

  #act(step: Step): unknown {
    switch (step.op) {
      case 'register':
        return this.#register(step.agent, step.role)
      case 'declare':
        return this.#declare(step.agent, step.status)
      case 'send':
        return this.#send(step.agent, step.to, step.type, step.seconds)
      case 'answer':
        return this.#answer(step.agent, step.message)
      case 'read':
        return this.#read(step.agent)
      case 'peek':
        return this.#look(step.agent)
      case 'mark':
        return this.#mark(step.agent, [this.#named(step.agent, step.message)])
      case 'markAll':
        return this.#mark(step.agent, this.#pending(step.agent))
      case 'sweep':
        return this.#sweep()
    }
  }

  #register(name: string, role: string): unknown {
    const known = this.agents.get(name)
    const kept = role || known?.role || ''
    this.agents.set(name, { ...UNSEEN, ...known, role: kept })
    this.#note('agent_register', name)
    if (this.#isAvailable(name)) this.#takeRoleQueue(name)
    return { status: this.#status(name) }
  }

  #declare(name: string, status: Status): unknown {
    const agent = this.agents.get(name)
    if (!agent) throw new No('not_found')
    Object.assign(agent, { declared: status, declaredAt: this.now })
    this.#note('agent_declare', name)
    const bounced = status === 'off' ? this.#bounce(name) : 0
    const taken = this.#isAvailable(name) ? this.#takeRoleQueue(name) : 0
    return { status: this.#status(name), taken, bounced }
  }

  #send(from: string, to: string, type: string, seconds: number | undefined): unknown {
    const recipients = this.#resolve(from, to, type)
    this.#meet(from)
    // An unknown name becomes known now.
    for (const name of recipients) if (name === to) this.#meet(name, from)
    const n = this.#threads.push(0) - 1
    return this.#say(n, { from, to, type }, recipients, 'mail_send', seconds)
  }

  #answer(from: string, message: number): unknown {
    const answered = this.messages[message]
    if (!answered || !this.#mayAnswer(from, message, answered)) throw new No('not_found')
    const to = answered.from
    if (to === from || to === 'system') throw new No('invalid_input')
    const recipients = this.#resolve(from, to, 'answer')
    this.#meet(from)
    const said = { from, to, type: 'answer', answers: message }
    return this.#say(answered.n, said, recipients, 'mail_append')
  }

  /** An agent may answer a message that it sent or got, or that it could take from its role's queue. */
  #mayAnswer(from: string, message: number, answered: Message): boolean {
    if (from === 'user' || answered.from === from) return true
    const queue = `role:${this.agents.get(from)?.role}`
    return this.deliveries.some((one) => {
      return one.message === message && (one.recipient === from || one.recipient === queue)
    })
  }

  /** Resolves the recipients before the sender itself is known. */
  #resolve(from: string, to: string, type: string): string[] {
    const others = [...this.agents.keys()].filter((name) => name !== from).sort()
    if (to === 'user') {
      if (from !== 'user') throw new No('forbidden')
      if (type === 'cancel') throw new No('invalid_input')
      return ['user']
    }
    let recipients = [to]
    if (to === 'broadcast') {
      recipients = others.filter((name) => ['running', 'idle'].includes(this.#status(name)))
    } else if (to.startsWith('role:')) {
      recipients = [this.#next(to.slice('role:'.length), others)]
    } else if (!this.agents.has(to) && to !== from) {
      if (type === 'cancel') throw new No('not_found')
    } else if (this.#status(to) === 'off') {
      throw new No('invalid_state')
    }
    if (type !== 'cancel') return this.#spend(to, recipients)
    for (const name of recipients) {
      if (!this.agents.has(name)) throw new No('not_found')
      if (from !== 'user') throw new No('forbidden')
    }
    return this.#spend(to, recipients)
  }

  #next(role: string, others: string[]): string {
    const last = this.#turns.get(role) ?? ''
    const free = others.filter((name) => {
      return this.agents.get(name)?.role === role && this.#isAvailable(name)
    })
    return free.find((name) => name > last) ?? free[0] ?? `role:${role}`
  }

  /** A turn is only used up once the message is sent. */
  #spend(to: string, recipients: string[]): string[] {
    const [one] = recipients
    if (to.startsWith('role:') && one !== undefined && one !== to) {
      this.#turns.set(to.slice('role:'.length), one)
    }
    return recipients
  }

  #say(
    n: number,
    { answers, ...said }: { from: string; to: string; type: string; answers?: number },
    recipients: string[],
    event: string,
    seconds?: number,
  ) {
    const seq = (this.#threads[n] ?? 0) + 1
    this.#threads[n] = seq
    const message = this.messages.push({ n, seq, ...said }) - 1
    // The writer has acted on what it was shown in this thread, and on the message it's answering.
    this.#move('acted', (one) => {
      if (one.recipient !== said.from || this.#threadOf(one) !== n) return false
      return one.state !== 'queued' || one.message === answers
    })
    this.#note(event, said.from, n)
    const until = seconds === undefined ? NEVER : this.now + seconds * 1000
    for (const recipient of recipients) this.#deliver(recipient, message, until)
    return { said: [n, seq], recipients: [...recipients].sort() }
  }

  #deliver(recipient: string, message: number, until: number): void {
    const sent = { state: 'queued' as const, place: this.#places++ }
    this.deliveries.push({ recipient, message, until, ...sent })
  }

  #read(name: string): unknown {
    if (name !== 'user') {
      this.#meet(name)
      this.#sight(name)
      if (this.#status(name) !== 'off') this.#takeRoleQueue(name)
    }
    const seen = this.#look(name)
    this.#present(name, this.#unread(name))
    return seen
  }

  #look(name: string) {
    return this.#unread(name)
      .map(({ message, state }) => [...this.said(message), state])
      .sort(compare)
  }

  #present(name: string, which: Delivery[]): void {
    for (const n of new Set(which.filter((one) => one.state === 'queued').map(this.#threadOf))) {
      this.#note('delivery_present', name, n)
    }
    this.#move('presented', (one) => which.includes(one))
  }

  /** A stop message that was never shown comes before one that was. */
  #stopFor(name: string): Delivery | undefined {
    return this.#unread(name).find(
      ({ message, state }) => state === 'queued' && this.messages[message]?.type === 'cancel',
    )
  }

  #named(name: string, message: number): Delivery {
    if (!this.messages[message]) throw new No('not_found')
    const own = this.deliveries.find((one) => one.recipient === name && one.message === message)
    if (!own) throw new No('not_found')
    return own
  }

  #mark(name: string, which: Delivery[]): unknown {
    let marked = 0
    for (const n of new Set(which.map(this.#threadOf))) {
      const here = this.#pending(name).filter((one) => this.#threadOf(one) === n)
      const late = here.filter((one) => this.#isOverdue(one))
      const unread = here.filter((one) => !late.includes(one))
      const left = unread.filter((one) => which.includes(one))
      if (late.length > 0) this.#note('delivery_expire', 'system', n)
      this.#move('expired', (one) => late.includes(one))
      marked += left.length
      if (left.length > 0) this.#markLeft(name, n, left, left.length === unread.length)
      this.#tell(n, late)
    }
    return { marked, unread: this.#unread(name).length }
  }

  #markLeft(name: string, n: number, left: Delivery[], isWhole: boolean): void {
    this.#note('delivery_read', name, n)
    this.#move('read', (one) => left.includes(one))
    const seq = this.#threads[n] as number
    if (!isWhole || (this.#marks.get(`${name} ${n}`) ?? 0) >= seq) return
    this.#marks.set(`${name} ${n}`, seq)
    this.#note('thread_read', name, n)
  }

  /** Each sender gets one notice per thread about its deliveries there that ended unread. */
  #tell(n: number, ended: Delivery[]): void {
    const senders = Map.groupBy(ended, ({ message }) => this.messages[message]?.from ?? '')
    for (const [sender, own] of senders) {
      const isOff = sender !== 'user' && this.#status(sender) === 'off'
      const isOwn = own.every(({ recipient }) => recipient === sender)
      if (sender === 'system' || isOwn || isOff) continue
      this.#say(n, { from: 'system', to: sender, type: 'status' }, [sender], 'mail_append')
    }
  }

  #takeRoleQueue(name: string): number {
    const role = this.agents.get(name)?.role
    const waiting = (role ? this.#unread(`role:${role}`) : []).filter(
      ({ message }) => this.messages[message]?.from !== name,
    )
    for (const one of waiting) {
      this.deliveries.splice(this.deliveries.indexOf(one), 1)
      this.#note('delivery_take', name, this.#threadOf(one))
      this.#deliver(name, one.message, one.until)
    }
    return waiting.length
  }

  #bounce(name: string): number {
    const back = this.#unread(name)
    for (const n of new Set(back.map(this.#threadOf))) {
      const here = back.filter((one) => this.#threadOf(one) === n)
      this.#note('delivery_bounce', 'system', n)
      this.#tell(n, here)
    }
    this.#move('bounced', (one) => back.includes(one))
    return back.length
  }

  #sweep(): unknown {
    const over = this.deliveries.filter((one) => isUnread(one) && this.#isOverdue(one))
    const inboxes = new Set(over.map((one) => `${this.#threadOf(one)} ${one.recipient}`))
    for (const inbox of inboxes) {
      this.#note('delivery_expire', 'system', Number(inbox.split(' ')[0]))
    }
    this.#move('expired', (one) => over.includes(one))
    for (const [n, here] of Map.groupBy(over, this.#threadOf)) this.#tell(n, here)
    return over.map((one) => [...this.said(one.message), one.recipient]).sort(compare)
  }

  /** Identifies a message by its thread and its position there. */
  said(message: number): [number, number] {
    const { n, seq } = this.messages[message] ?? { n: -1, seq: -1 }
    return [n, seq]
  }

  /** The state of every delivery. */
  standing() {
    return this.deliveries
      .map((one) => [...this.said(one.message), one.recipient, one.state])
      .sort(compare)
  }

  /** States only move forward, and final ones stay. */
  #move(to: State, which: (one: Delivery) => boolean): void {
    const order: State[] = ['queued', 'presented', 'read', 'acted']
    for (const one of this.deliveries) {
      const isEnd = to === 'bounced' || to === 'expired'
      const isForward =
        order.indexOf(one.state) >= 0 && order.indexOf(to) > order.indexOf(one.state)
      if (which(one) && (isEnd ? isUnread(one) : isForward)) one.state = to
    }
  }

  /** The deliveries that have not ended, even if they are overdue. */
  #pending(recipient: string): Delivery[] {
    return this.deliveries
      .filter((one) => one.recipient === recipient && isUnread(one))
      .sort((a, b) => a.place - b.place)
  }

  #unread(recipient: string): Delivery[] {
    return this.#pending(recipient).filter((one) => !this.#isOverdue(one))
  }

  #isOverdue({ until }: Delivery): boolean {
    return until <= this.now
  }

  #threadOf = ({ message }: Delivery): number => (this.messages[message] as Message).n

  /** An agent that reads or writes is known from now on. */
  #meet(name: string, by = name): void {
    if (name === 'user' || name.startsWith('role:') || this.agents.has(name)) return
    this.#note('agent_register', by)
    this.agents.set(name, { ...UNSEEN })
  }

  /** Records a sighting if the last one is old, or if the agent's status was declared since then. */
  #sight(name: string): void {
    const agent = this.agents.get(name)
    if (!agent) return
    const isOld = agent.seenAt + SIGHT_MS <= this.now || agent.seenAt <= agent.declaredAt
    if (isOld) agent.seenAt = this.now
  }

  #status(name: string): Status {
    const agent = this.agents.get(name)
    if (!agent) return 'dormant'
    const { declared, declaredAt, seenAt } = agent
    if (declared === 'off') return declared
    const isFresh = (at: number) => this.now < at + EVIDENCE_MS
    if (isFresh(seenAt) && seenAt > declaredAt) return declared === 'running' ? 'running' : 'idle'
    return isFresh(declaredAt) ? (declared ?? 'dormant') : 'dormant'
  }

  #isAvailable(name: string): boolean {
    return ['running', 'idle'].includes(this.#status(name))
  }

  #note(type: string, agent: string, n = -1): void {
    this.log.push({ type, agent, n, at: this.now })
  }
}

function isUnread({ state }: Delivery): boolean {
  return state === 'queued' || state === 'presented'
}

/** Compares part by part. */
export function compare(a: (string | number)[], b: (string | number)[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i] as typeof part
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}
