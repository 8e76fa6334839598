// Readers pick up where they left off while many agents write: by cursor, and by the time of the last message. Each
// must get every message once, although timestamps and commit order can disagree.

import { expect, test } from 'bun:test'
import { type Client, connect } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const SENDERS = 6
const EACH = 30

type Message = Awaited<ReturnType<Client['mailRead']>>['messages'][number]
type Page = { messages: Message[]; next_event_id: number }

/** Where the next read starts. */
const WAYS: Record<string, (page: Page, before: string) => string> = {
  cursor: (page) => String(page.next_event_id),
  time: (page, before) => page.messages.map(({ created_at }) => created_at).reduce(later, before),
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

test.each([...ENGINES])('%s: a reader that resumes gets each message once', (engine) =>
  withStore(engine, async ({ address }) => {
    const readers = await Promise.all(
      Object.keys(WAYS).map(async (agent) => {
        const client = await connect(address, { agent })
        await client.agentRegister({})
        return [agent, client] as const
      }),
    )
    const reading = readers.map(async ([agent, client]) => {
      const { [agent]: next } = WAYS
      const seen: string[] = []
      let since = agent === 'time' ? '2020-01-01' : '0'
      while (seen.length < SENDERS * EACH) {
        const page = await client.mailRead({ since, limit: 7, timeout_seconds: 120 })
        if (page.messages.length === 0) break
        seen.push(...page.messages.map(({ subject }) => subject))
        since = next?.(page, since) ?? since
      }
      // The last read must not return any message a second time.
      const rest = await client.mailRead({ since })
      await client.close()
      return [...seen, ...rest.messages.map(({ subject }) => subject)]
    })
    const sent: string[] = []
    const sending = Array.from({ length: SENDERS }, async (_, sender) => {
      const client = await connect(address, { agent: `sender${sender}` })
      for (let i = 0; i < EACH; i++) {
        const subject = `${sender}.${i}`
        sent.push(subject)
        await Promise.all(Object.keys(WAYS).map((to) => client.mailSend({ to, subject })))
      }
      await client.close()
    })
    await Promise.all(sending)
    for (const got of await Promise.all(reading)) expect(got.sort()).toEqual(sent.sort())
  }),
)
