// Mail that answers other mail.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, task } from '../../worlds/scenes.ts'
import { mail, team } from '../../worlds/team.ts'

behaves('mail-send/answer', async (world) => {
  await team(world)
  const asked = await mail(world, { from: 'ann', to: 'orchestrator', type: 'question' })
  const id = asked.message?.id as string
  const answer = await mail(world, { to: undefined, type: 'answer', in_reply_to: id })
  expect(answer).toMatchObject({
    message: { in_reply_to: id, thread_id: asked.message?.thread_id, to: 'agent:ann' },
    recipients: ['ann'],
  })
  const aside = await mail(world, { from: 'ann', to: 'user', in_reply_to: id }).catch((no) => no)
  expect(aside.code).toBe('forbidden')
  const passed = await mail(world, { to: 'bob', in_reply_to: id })
  expect(passed).toMatchObject({ recipients: ['bob'], message: { in_reply_to: id } })
  const own = mail(world, { from: 'ann', to: undefined, in_reply_to: id })
  expect((await refused(own, 'invalid_input')).message).toContain('say who this is for')
  // An agent that answers has acted on everything sent to it in that thread.
  const rows = await world.sql('select recipient, state from deliveries order by event_id')
  expect(rows).toEqual([
    { recipient: 'orchestrator', state: 'acted' },
    { recipient: 'ann', state: 'queued' },
    { recipient: 'bob', state: 'queued' },
  ])
})

behaves('mail-send/answer-others', async (world) => {
  await team(world)
  const asked = await mail(world, { from: 'ann', to: 'bob', type: 'question' })
  const id = asked.message?.id as string
  const before = await everything(world)
  const words = { from: 'z', to: 'bob', in_reply_to: id, subject: 'Me too' }
  for (const dry_run of [false, true]) {
    const no = await refused(world.inbox.mailSend({ ...words, dry_run }), 'not_found')
    expect(no.message).toContain(`no message ${id} that z sent or got; see `)
  }
  expect(await everything(world)).toEqual(before)
  // The sender, the recipient, agents that could take it, the orchestrator and people may answer.
  await world.inbox.mailSend({ ...words, from: 'ann' })
  await world.inbox.mailSend({ ...words, from: 'bob', to: 'ann' })
  await world.inbox.mailSend({ ...words, from: 'orchestrator' })
  await world.inbox.mailSend({ ...words, from: 'user' })
  const queued = await mail(world, { from: 'ann', to: 'role:painter' })
  await world.inbox.agentRegister({ agent: 'pia', role: 'painter', status: 'off' })
  const taking = { from: 'pia', in_reply_to: queued.message?.id, subject: 'Mine' }
  expect((await world.inbox.mailSend(taking)).recipients).toEqual(['ann'])
})

behaves('mail-send/answer-work', async (world) => {
  const thread = await task(world)
  const { messages } = await world.inbox.show({ thread })
  const in_reply_to = messages[0]?.message_id as string
  const answer = world.inbox.mailSend({ from: 'worker', in_reply_to, body: 'Yes' })
  const { message } = await refused(answer, 'invalid_state')
  expect(message).toMatch(new RegExp(`answer there with .*reply.*${thread}`))
})
