import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { comment } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked } from '../../worlds/scenes.ts'

behaves('reply/message', async (world) => {
  const { thread } = await blocked(world)
  const { messages } = await world.inbox.show({ thread })
  const question = messages.at(-1)?.message_id ?? ''
  const said = await world.inbox.reply({ from: 'lead', thread: question, summary: 'The first' })
  expect(said.thread).toMatchObject({ thread_id: thread, status: 'in_progress' })
  expect(said.message).toMatchObject({ to_agent: 'worker', in_reply_to: question })
})

behaves('reply/mail', async (world) => {
  const { inbox } = world
  for (const agent of ['ann', 'bob']) await inbox.agentRegister({ agent })
  const asked = await inbox.mailSend({ from: 'ann', to: 'bob', subject: 'Lunch?', body: '' })
  const { id: message, thread_id: thread } = asked.message ?? { id: '', thread_id: '' }
  const said = await inbox.reply({ from: 'bob', thread, summary: 'At noon' })
  expect(said.message).toMatchObject({ to_agent: 'ann', in_reply_to: message, kind: 'answer' })
  expect((await inbox.mailRead({ agent: 'ann' })).messages.map(({ subject }) => subject)).toEqual([
    'At noon',
  ])
  const again = await inbox.reply({ from: 'ann', thread: said.message.message_id, summary: 'Good' })
  expect(again.message).toMatchObject({ to_agent: 'bob', in_reply_to: said.message.message_id })
  // A reply to one's own last message goes to that message's recipient.
  expect(
    (await inbox.reply({ from: 'ann', thread, summary: 'Bring bread' })).message.to_agent,
  ).toBe('bob')
  await refused(inbox.reply({ from: 'cid', thread, summary: 'Me too' }), 'not_found')
  await refused(
    inbox.reply({ from: 'bob', thread, summary: 'Stop', kind: 'cancel' }),
    'invalid_input',
  )
})

behaves('reply/push', async (world) => {
  const { inbox } = world
  const entry = await comment(world, 'The report')
  const said = await inbox.reply({ from: 'user', thread: entry, summary: 'Looks good' })
  expect(said.thread.thread_id).toBe(entry)
  const { messages } = await inbox.mailRead({ agent: 'ann' })
  expect(messages.map(({ subject, from }) => ({ subject, from }))).toEqual([
    { subject: 'Looks good', from: 'user' },
  ])
})

behaves('reply/decides-nothing', async (world) => {
  const { inbox } = world
  const asked = await inbox.requestAsk({ agent: 'ann', text: 'Which port?', timeout_seconds: 1 })
  const { request_id: thread } = asked.request
  const said = await inbox.reply({ from: 'user', thread, summary: '8080' })
  const how = `inbox approve ${thread} --revision 1 --answer`
  expect(said.warning).toContain('kept as a comment and decides nothing')
  expect(said.warning).toContain(how)
  expect((await inbox.requestGet({ request: thread })).request.status).toBe('pending')
  const own = await inbox.reply({ from: 'ann', thread, summary: 'Or 8081?' })
  expect(own.warning).toBeUndefined()
  const wish = { agent: 'ann', type: 'custom', title: 'Deploy', payload: '{"a":1}' }
  const { request_id: other } = await inbox.requestCreate(wish)
  const note = await inbox.reply({ from: 'user', thread: other, summary: 'Yes' })
  expect(note.warning).toContain("'inbox reject' and 'inbox request-revision' decide")
  await inbox.approve({ request: thread, revision: 1, answer: '8080' })
  const late = await inbox.reply({ from: 'user', thread, summary: 'Thanks' })
  expect(late.warning).toBeUndefined()
})
