// Senders learn which recipients their message doesn't wake.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'

const COMMAND = JSON.stringify(['true'])

behaves('wake/not-woken', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'rv', wake_command: COMMAND, status: 'dormant' })
  await user.agentRegister({ agent: 'bob' })
  const send = async (type: 'custom' | 'question', to = 'rv') =>
    (await world.inbox.mailSend({ from: 'lead', to, type, body: 'Look' })).not_woken
  expect(await send('custom')).toEqual([
    {
      recipient: 'rv',
      why: 'custom from lead does not wake rv; these do: task-assigned, review-request, question, answer, and anything else from a person',
    },
  ])
  expect(await send('question')).toBeUndefined()
  expect(await send('custom', 'bob')).toBeUndefined()
  const byUser = await user.mailSend({ to: 'rv', body: 'Look' })
  expect(byUser.not_woken).toBeUndefined()
  // This also applies to messages to its role, but not while the agent is waiting or working.
  await user.agentRegister({ agent: 'rv', role: 'reviewer', wake_types: ['review-request'] })
  expect(await send('question', 'role:reviewer')).toEqual([
    { recipient: 'rv', why: 'question from lead does not wake rv; these do: review-request' },
  ])
  const { thread } = await world.inbox.send({ from: 'lead', to: 'rv', subject: 'Work' })
  await world.inbox.claim({ agent: 'rv', thread: thread.thread_id })
  expect(await send('custom')).toBeUndefined()
})

behaves('wake/not-woken-work', async (world) => {
  const { inbox } = world
  const user = world.as('user')
  const asleep = { wake_command: COMMAND, status: 'dormant' } as const
  await user.agentRegister({ agent: 'lead', ...asleep })
  await user.agentRegister({ agent: 'rv', ...asleep, role: 'reviewer', wake_types: ['question'] })
  const nap = (agent: string) => user.agentRegister({ agent, status: 'dormant' })
  const why = (type: string) => `${type} from bob does not wake rv; these do: question`
  // Agents that the message wakes aren't listed, and neither is the sender itself.
  const { thread, not_woken } = await inbox.send({ from: 'lead', to: 'bob', subject: 'Work' })
  expect(not_woken).toBeUndefined()
  expect((await inbox.send({ from: 'lead', to: 'lead', subject: 'Own' })).not_woken).toBeUndefined()
  for (const to of ['rv', 'role:reviewer']) {
    expect((await inbox.send({ from: 'bob', to, subject: 'Work' })).not_woken).toEqual([
      { recipient: 'rv', why: why('task-assigned') },
    ])
  }
  const its = { thread: thread.thread_id }
  const added = await inbox.send({ ...its, from: 'bob', to: 'rv', summary: 'Look' })
  expect(added.not_woken).toEqual([{ recipient: 'rv', why: 'status never wakes an agent' }])
  const replied = await inbox.reply({ ...its, from: 'bob', to: 'rv', summary: 'Yes' })
  expect(replied.not_woken).toEqual([{ recipient: 'rv', why: why('answer') }])
  await nap('lead')
  await inbox.claim({ ...its, agent: 'bob' })
  const report = { ...its, agent: 'bob', summary: 'So far' }
  expect((await inbox.update({ ...report, status: 'in_progress' })).not_woken).toBeUndefined()
  expect((await inbox.update({ ...report, status: 'blocked' })).not_woken).toBeUndefined()
  await user.agentRegister({ agent: 'lead', wake_types: ['answer'] })
  const lead = (type: string) => [
    { recipient: 'lead', why: `${type} from bob does not wake lead; these do: answer` },
  ]
  expect((await inbox.update({ ...report, status: 'blocked' })).not_woken).toEqual(lead('question'))
  expect((await inbox.done(report)).not_woken).toEqual(lead('task-done'))
  const { thread: next } = await inbox.send({ from: 'lead', to: 'bob', subject: 'More' })
  await inbox.claim({ agent: 'bob', thread: next.thread_id })
  await nap('lead')
  const failed = { agent: 'bob', thread: next.thread_id, summary: 'No' }
  expect((await inbox.fail(failed)).not_woken).toEqual(lead('task-done'))
})
