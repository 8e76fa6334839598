// Tests that an agent hears about its mail, on both engines.

import { expect } from 'bun:test'
import { listen, op, type Running } from './serving.ts'

type Heard = { id: number; data: Record<string, unknown> }[]

export async function hearsItsMail(server: Running): Promise<void> {
  const mail = (to: string, subject: string, as: string) =>
    op(server, 'mail-send', { to, subject, body: 'Words.' }, { as })
  const spoken = (heard: Heard) =>
    heard.flatMap(({ data }) => (data.message_id === null ? [] : [data.summary]))
  const until = (subject: string) => (heard: Heard) => spoken(heard).includes(subject)
  for (const agent of ['mia', 'noa']) await op(server, 'agent-register', {}, { as: agent })
  const { body } = await op(server, 'send', { to: 'noa', subject: 'Work' }, { as: 'lead' })
  const { thread_id: thread } = body.thread as { thread_id: string }

  const live = await listen(server, '', { as: 'mia' })
  await mail('noa', 'Not for mia', 'lead')
  await mail('mia', 'For mia', 'lead')
  await mail('noa', 'By mia herself', 'mia')
  await mail('broadcast', 'For all', 'lead')
  await op(server, 'send', { thread, to: 'mia', summary: 'Aside', body: 'Look.' }, { as: 'lead' })
  await live.until(until('Aside'))
  live.leave()
  const wanted = ['For mia', 'For all', 'Aside']
  expect(spoken(live.heard)).toEqual(wanted)

  // After reconnecting, the agent gets the same events.
  const back = await listen(server, `?after=${Number(body.next_event_id)}`, { as: 'mia' })
  await back.until(until('Aside'))
  back.leave()
  expect(spoken(back.heard)).toEqual(wanted)
  expect(back.heard.map(({ id }) => id)).toEqual(live.heard.map(({ id }) => id))
}
