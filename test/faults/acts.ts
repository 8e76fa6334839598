// Every write operation, with its setup. A test can tell whether each was done completely or not at all.

import { connect } from '../../src/index.ts'
import type { TestStore } from '../worlds/store.ts'
import { CHANNEL_ACTS } from './channel-acts.ts'
import { DESK_ACTS } from './desk-acts.ts'
import { DOCUMENT_ACTS } from './document-acts.ts'

export type Act = {
  op: string
  /** Puts the store in a state where the write is possible, and returns its input. The caller is `lead`. */
  scene(store: TestStore): Promise<Record<string, unknown>>
  /** The number of events it adds, or 0 if that varies: pruning removes some, and marking can add two. */
  adds: number
  /** Whether it takes an idempotency key. */
  keyed: boolean
}

const FILES = [{ path: 'a.txt' }, { path: 'b.txt' }]
const open = async (store: TestStore) => ({ thread: await newThread(store) })
const held = async (store: TestStore) => ({ thread: await heldThread(store) })

export const ACTS: Record<string, Act> = {
  // Sending also registers the addressee.
  'send a new thread': {
    ...act('send', async (store) => {
      await newThread(store)
      return { to: 'worker', subject: 'new', artifacts: FILES }
    }),
    adds: 2,
  },
  'send to a thread': act('send', async (store) => ({ ...(await open(store)), summary: 'more' })),
  'claim the next': act('claim', async (store) => {
    await newThread(store)
    return {}
  }),
  'claim by id': act('claim', open),
  renew: act('renew', held),
  update: act('update', async (store) => ({
    ...(await held(store)),
    status: 'blocked',
    summary: 'which one?',
    artifacts: FILES,
  })),
  reply: act('reply', async (store) => ({ ...(await open(store)), summary: 'this one' })),
  done: act('done', async (store) => ({ ...(await held(store)), summary: 'built' })),
  fail: act('fail', async (store) => ({ ...(await held(store)), summary: 'broken' })),
  cancel: act('cancel', open),
  sweep: act('sweep', async (store) => {
    await heldThread(store)
    await store.clock.set('2099-01-01T00:00:00.000Z')
    return {}
  }),
  'mark read': {
    ...act('show', async (store) => ({ ...(await open(store)), agent: 'lead', mark_read: true })),
    keyed: false,
  },
  'send mail': act('mailSend', async (store) => {
    await mailToLead(store)
    return { to: 'lead', body: 'more', metadata: '{"n":1}' }
  }),
  'answer mail': act('mailSend', async (store) => ({
    in_reply_to: await mailToLead(store),
    to: 'lead',
    body: 'so',
  })),
  'send mail to a role': act('mailSend', async (store) => {
    await mailToLead(store)
    return { to: 'role:crew', body: 'anybody?' }
  }),
  'register an agent': act('agentRegister', async (store) => {
    await mailToLead(store)
    return { agent: 'newcomer', role: 'critic', parent: 'lead' }
  }),
  'register, and take what is queued': {
    ...act('agentRegister', async (store) => {
      await mailToRole(store)
      return { agent: 'lead', role: 'crew' }
    }),
    adds: 0,
  },
  'declare off, and bounce mail': {
    ...act('agentStatus', async (store) => {
      await mailToLead(store)
      return { agent: 'lead', status: 'off' }
    }),
    adds: 0,
  },
  'mark mail read': {
    ...act('mailMarkRead', async (store) => ({ messages: [await mailToLead(store)] })),
    adds: 0,
  },
  'ask a person': act('requestCreate', async (store) => {
    await mailToLead(store)
    return { type: 'chore', title: 'May I?', payload: '{"a":1}' }
  }),
  'reject a request': act('reject', ofRequest),
  'ask for a revision': act('requestRevision', async (store) => ({
    ...(await ofRequest(store)),
    notes: 'Less',
  })),
  'submit a request again': act('resubmit', async (store) => {
    const { request } = await ofRequest(store)
    const user = await connect(store.address)
    await user.requestRevision({ request, revision: 1, notes: 'Less' })
    await user.close()
    return { request, revision: 1, payload: '{"a":2}' }
  }),
  'cancel a request': act('cancelRequest', async (store) => ({ request: await newRequest(store) })),
  'comment on a request': act('comment', async (store) => ({
    request: await newRequest(store),
    body: 'Soon?',
  })),
  'link a request': act('requestLink', async (store) => ({
    request: await newRequest(store),
    thread: await newThread(store),
  })),
  // Each request is decided in its own transaction; the last one here is refused and changes nothing.
  'decide several requests': act('requestDecide', async (store) => ({
    requests: [`${await newRequest(store)}:1`, `${await newRequest(store)}:2`],
    decision: 'approve',
    agent: 'user',
  })),
  'hold a decision': act('approve', async (store) => ({
    request: await newRequest(store),
    revision: 1,
    grace_seconds: 10,
    agent: 'user',
  })),
  'undo a held decision': act('undoDecision', async (store) => ({
    request: await heldRequest(store),
    agent: 'user',
  })),
  // A read after the grace period makes the decision.
  'make a held decision': {
    ...act('requestGet', async (store) => {
      const request = await heldRequest(store)
      // Within the week after which doctor would report it as overdue.
      await store.clock.set(new Date(Date.now() + 120_000).toISOString())
      return { request, agent: 'user' }
    }),
    keyed: false,
  },
  'let a request expire': {
    ...act('requestGet', async (store) => {
      const request = await newRequest(store, { expires_seconds: 10, on_expiry: 'reject' })
      // Within the week after which doctor would report it as overdue.
      await store.clock.set(new Date(Date.now() + 60_000).toISOString())
      return { request, agent: 'user' }
    }),
    keyed: false,
  },
  'approve, and queue the effect': {
    ...act('approve', async (store) => {
      const request = await newRequest(store)
      const lead = await connect(store.address)
      await lead.requestEffect({ type: 'chore', command: '["/usr/bin/true"]' })
      await lead.close()
      return { request, revision: 1, agent: 'user' }
    }),
    adds: 2,
  },
  'use an approval': act('requestVerify', async (store) => {
    const request = await newRequest(store)
    const lead = await connect(store.address)
    await lead.approve({ request, revision: 1 })
    await lead.close()
    return { request, payload: '{}', use: true, agent: 'user' }
  }),
  // A review is a request plus a pause of its agent run; a decision on it moves the run.
  'ask for a review': {
    ...act('requestReview', async (store) => {
      await mailToLead(store)
      return REVIEW
    }),
    adds: 2,
  },
  'ask for a later review': {
    ...act('requestReview', async (store) => {
      await newReview(store)
      return { ...REVIEW, review: 'r2' }
    }),
    adds: 3,
  },
  'decide a review': {
    ...act('reject', async (store) => {
      const { request_id: request } = await newReview(store)
      return { request, revision: 1, agent: 'user' }
    }),
    adds: 2,
  },
  'submit a review again': {
    ...act('resubmit', async (store) => {
      const { request_id: request } = await newReview(store)
      const user = await connect(store.address)
      await user.requestRevision({ request, revision: 1, notes: 'Less' })
      await user.close()
      return { request, revision: 1, title: 'Less' }
    }),
    adds: 2,
  },
  'end an agent run': {
    ...act('agentEndRun', async (store) => {
      const { agent_run_id: agent_run } = await newReview(store)
      return { agent_run }
    }),
    adds: 2,
  },
  ...DESK_ACTS,
  ...CHANNEL_ACTS,
  ...DOCUMENT_ACTS,
  prune: {
    ...act('prune', async (store) => {
      const thread = await heldThread(store)
      const lead = await connect(store.address, { agent: 'lead' })
      await lead.done({ thread, summary: 'built' })
      await lead.close()
      await store.clock.set('2099-01-01T00:00:00.000Z')
      return { older_than_days: 0 }
    }),
    adds: 0,
  },
}

function act(op: string, scene: Act['scene']): Act {
  return { op, scene, adds: 1, keyed: true }
}

const REVIEW = { review: 'r1', title: 'Shorter words', body: 'Please look.' }

async function newReview({ address }: TestStore) {
  const lead = await connect(address, { agent: 'lead' })
  const made = await lead.requestReview(REVIEW)
  await lead.close()
  return made
}

async function newRequest(
  { address }: TestStore,
  more: { expires_seconds?: number; on_expiry?: 'reject' } = {},
): Promise<string> {
  const lead = await connect(address, { agent: 'lead' })
  const { request_id } = await lead.requestCreate({ type: 'chore', title: 'May I?', ...more })
  await lead.close()
  return request_id
}

async function ofRequest(store: TestStore) {
  return { request: await newRequest(store), revision: 1, agent: 'user' }
}

async function heldRequest(store: TestStore): Promise<string> {
  const request = await newRequest(store)
  const lead = await connect(store.address)
  await lead.approve({ request, revision: 1, grace_seconds: 10 })
  await lead.close()
  return request
}

async function mailToLead({ address }: TestStore): Promise<string> {
  const lead = await connect(address, { agent: 'lead' })
  await lead.agentRegister({})
  const { message } = await lead.mailSend({ from: 'user', to: 'lead', subject: 'news' })
  await lead.close()
  return message?.id as string
}

async function mailToRole(store: TestStore): Promise<void> {
  await mailToLead(store)
  const lead = await connect(store.address, { agent: 'lead' })
  for (const body of ['one', 'two']) await lead.mailSend({ from: 'user', to: 'role:crew', body })
  await lead.close()
}

async function newThread({ address }: TestStore): Promise<string> {
  const lead = await connect(address, { agent: 'lead' })
  const { thread } = await lead.send({ to: 'lead', subject: 'work' })
  await lead.close()
  return thread.thread_id
}

async function heldThread(store: TestStore): Promise<string> {
  const thread = await newThread(store)
  const lead = await connect(store.address, { agent: 'lead' })
  await lead.claim({ thread })
  await lead.close()
  return thread
}
