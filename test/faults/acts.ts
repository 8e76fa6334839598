// Every operation that writes, with the scene it needs. Each can be told apart afterwards: done whole,
// or not at all.

import { connect } from '../../src/index.ts'
import type { TestStore } from '../worlds/store.ts'

export type Act = {
  op: string
  /** Brings the store to where the act is possible; gives its input. The actor is `lead`. */
  scene(store: TestStore): Promise<Record<string, unknown>>
  /** Pruning removes events, and marking may add two: not everything adds one. */
  adds: 0 | 1
  /** Whether it takes an idempotency key. */
  keyed: boolean
}

const FILES = [{ path: 'a.txt' }, { path: 'b.txt' }]
const open = async (store: TestStore) => ({ thread: await newThread(store) })
const held = async (store: TestStore) => ({ thread: await heldThread(store) })

export const ACTS: Record<string, Act> = {
  'send a new thread': act('send', async (store) => {
    await newThread(store)
    return { to: 'worker', subject: 'new', artifacts: FILES }
  }),
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
  'mark mail read': {
    ...act('mailMarkRead', async (store) => ({ messages: [await mailToLead(store)] })),
    adds: 0,
  },
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

async function mailToLead({ address }: TestStore): Promise<string> {
  const lead = await connect(address, { agent: 'lead' })
  await lead.agentRegister({})
  const { message } = await lead.mailSend({ from: 'user', to: 'lead', subject: 'news' })
  await lead.close()
  return message?.id as string
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
