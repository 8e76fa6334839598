// Threads that are linked to a request.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked } from '../../worlds/requests.ts'

behaves('request/link', async (world) => {
  const request = await asked(world)
  const work = await world.inbox.send({ from: 'ann', to: 'bob', subject: 'Raise it' })
  const thread = work.thread.thread_id
  const linked = await world.inbox.requestLink({ agent: 'ann', request, thread })
  expect(linked).toMatchObject({ changed: true, links: [thread] })
  const again = await world.inbox.requestLink({ request, thread })
  expect(again).toMatchObject({ changed: false, links: [thread] })
  const shown = { thread_id: thread, kind: 'work', subject: 'Raise it' } as const
  const get = () => world.inbox.requestGet({ agent: 'ann', request })
  expect((await get()).links).toEqual([{ ...shown, status: 'pending' }])
  await world.inbox.claim({ agent: 'bob', thread })
  expect((await get()).links).toEqual([{ ...shown, status: 'claimed' }])
  // A person links mail between other agents, which the asking agent can't see.
  await world.inbox.mailSend({ from: 'bob', to: 'cat', subject: 'Secret', body: 'Psst' })
  const [secret] = (await world.inbox.mailPeek({ agent: 'cat' })).messages
  const mail = secret?.thread_id as string
  await world.inbox.requestLink({ request, thread: mail })
  expect((await get()).links).toMatchObject([{ thread_id: thread }])
  const all = (await world.inbox.requestGet({ request })).links
  expect(all.map(({ subject }) => subject)).toEqual(['Raise it', 'Secret'])
  // A link can be removed even after the decision.
  await world.inbox.approve({ request, revision: 1 })
  const left = await world.inbox.requestUnlink({ agent: 'ann', request, thread: mail })
  expect(left).toMatchObject({ changed: true, links: [thread] })
  const { activity } = await get()
  expect(activity.map(({ actor, action, notes }) => [actor, action, notes])).toEqual([
    ['ann', 'create', ''],
    ['ann', 'link', thread],
    ['user', 'link', mail],
    ['user', 'approve', ''],
    ['ann', 'unlink', mail],
  ])
  expect(await ailments(world)).toEqual([])
})

behaves('request/link-refused', async (world) => {
  const request = await asked(world)
  const thread = await asked(world, { agent: 'bob' })
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  // Ann and bob can't see each other's requests. The orchestrator sees both but made neither.
  for (const agent of ['ann', 'bob', 'boss']) {
    await refused(world.inbox.requestLink({ agent, request, thread }), 'not_found')
  }
  await world.inbox.requestLink({ request, thread })
  await refused(world.inbox.requestUnlink({ agent: 'bob', request, thread }), 'not_found')
  await refused(world.inbox.requestLink({ request, thread: 'thr_none' }), 'not_found')
  await refused(world.inbox.requestLink({ request: 'req_none', thread }), 'not_found')
  expect((await world.inbox.requestGet({ request })).links).toHaveLength(1)
  for (let n = 1; n < 20; n++) {
    await world.inbox.requestLink({ request, thread: await asked(world) })
  }
  const beyond = { request, thread: await asked(world) }
  await refused(world.inbox.requestLink(beyond), 'invalid_state')
  expect(await ailments(world)).toEqual([])
})
