// A small model of requests: the answer to each call, the state of each request afterward, and the number of answers
// each agent got. It knows nothing about the store and has its own table of moves.

export type Move = 'approve' | 'reject' | 'request_revision'
export type Step =
  | { op: 'create'; by: string; policy: 'human_only' | 'not_requester' | 'named' }
  | { op: 'decide'; by: string; n: number; move: Move; behind: number; grace: number }
  | { op: 'bulk'; by: string; n: number; move: Move; behind: number }
  | { op: 'undo'; by: string; n: number }
  | { op: 'cancel'; by: string; n: number }
  | { op: 'comment'; by: string; n: number }
  | { op: 'resubmit'; by: string; n: number; behind: number }
  | { op: 'link' | 'unlink'; by: string; n: number; to: number }

const MOVES: Record<string, Record<string, string>> = {
  pending: {
    approve: 'approved',
    reject: 'rejected',
    request_revision: 'revision_requested',
    cancel: 'cancelled',
  },
  revision_requested: {
    approve: 'approved',
    reject: 'rejected',
    resubmit: 'pending',
    cancel: 'cancelled',
  },
}

type Asked = {
  requester: string
  policy: string
  status: string
  revision: number
  decided_by: string | null
  held: { move: Move; by: string; until: number } | null
  links: number[]
}

export type Standing = {
  requests: Omit<Asked, 'held' | 'requester' | 'policy'>[]
  told: Record<string, number>
}

/** The only decider that policies name here. */
export const NAMED = 'user:eve'

export class RequestModel {
  readonly requests: Asked[] = []
  readonly told: Record<string, number> = { ann: 0, bob: 0 }
  #now = 0

  take(step: Step, waitMs: number): unknown {
    this.#now += waitMs
    for (const one of this.requests) this.#settle(one)
    if (step.op === 'create') {
      const { by: requester, policy } = step
      const fresh = { status: 'pending', revision: 1, decided_by: null, held: null, links: [] }
      this.requests.push({ requester, policy, ...fresh })
      return { status: 'pending', revision: 1 }
    }
    const one = this.requests[step.n]
    if (step.op === 'decide') return this.#decide(one, step)
    if (step.op === 'bulk') {
      if (!isPerson(step.by)) return 'forbidden'
      const answer = this.#decide(one, { ...step, grace: 0 })
      return [typeof answer === 'string' ? answer : answer.status]
    }
    if (step.op === 'undo') return this.#undo(one, step.by)
    if (one === undefined || !(isPerson(step.by) || step.by === one.requester)) return 'not_found'
    switch (step.op) {
      case 'comment':
        if (isPerson(step.by)) this.#tell(one, step.by)
        return 'said'
      case 'resubmit':
        return this.#resubmit(one, step.behind)
      case 'cancel':
        return this.#move(one, 'cancel', step.by, one.revision)
      default:
        return this.#link(one, step)
    }
  }

  standing(): Standing {
    const requests = this.requests.map(({ status, revision, decided_by, links }) => {
      return { status, revision, decided_by, links: [...links] }
    })
    return { requests, told: { ...this.told } }
  }

  #decide(
    one: Asked | undefined,
    { by, move, behind, grace }: { by: string; move: Move; behind: number; grace: number },
  ): string | { status: string; revision: number } {
    if (!isPerson(by)) return 'forbidden'
    if (one === undefined) return 'not_found'
    if (one.policy === 'named' && by !== NAMED) return 'forbidden'
    if (one.policy === 'not_requester' && by === one.requester) return 'forbidden'
    const revision = Math.max(1, one.revision - behind)
    const fault = faultOf(one, move, revision)
    if (fault !== null) return fault
    if (grace === 0) return this.#move(one, move, by, revision)
    one.held = { move, by, until: this.#now + grace * 1000 }
    return { status: one.status, revision }
  }

  #move(one: Asked, move: string, by: string, revision: number) {
    const fault = faultOf(one, move, revision)
    if (fault !== null) return fault
    one.status = MOVES[one.status]?.[move] as string
    one.decided_by = by
    this.#tell(one, by)
    return { status: one.status, revision }
  }

  #resubmit(one: Asked, behind: number) {
    const revision = Math.max(1, one.revision - behind)
    const fault = faultOf(one, 'resubmit', revision)
    if (fault !== null) return fault
    Object.assign(one, { status: 'pending', revision: one.revision + 1, decided_by: null })
    return { status: 'pending', revision: one.revision }
  }

  #undo(one: Asked | undefined, by: string) {
    if (!isPerson(by)) return 'forbidden'
    if (one === undefined) return 'not_found'
    if (one.held === null) return 'invalid_state'
    if (one.held.by !== by) return 'forbidden'
    one.held = null
    return { status: one.status, revision: one.revision }
  }

  #link(one: Asked, { op, by, to }: Extract<Step, { to: number }>) {
    const other = this.requests[to]
    const isSeen = other !== undefined && (isPerson(by) || other.requester === by)
    if (op === 'link' && !isSeen) return 'not_found'
    const left = one.links.filter((link) => link !== to)
    one.links = op === 'link' && left.length === one.links.length ? [...left, to] : one.links
    if (op === 'unlink') one.links = left
    return { links: [...one.links] }
  }

  #settle(one: Asked): void {
    if (one.held === null || one.held.until > this.#now) return
    const { move, by } = one.held
    one.held = null
    this.#move(one, move, by, one.revision)
  }

  #tell({ requester }: Asked, by: string): void {
    if (requester !== by && requester in this.told) {
      this.told[requester] = (this.told[requester] ?? 0) + 1
    }
  }
}

function faultOf({ status, held, revision }: Asked, move: string, seen: number): string | null {
  if (MOVES[status]?.[move] === undefined || held !== null) return 'invalid_state'
  return revision === seen ? null : 'revision_conflict'
}

function isPerson(name: string): boolean {
  return name.startsWith('user')
}
