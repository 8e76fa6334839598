// Sends mail from lead to worker, and reads what became of it.
import type { World } from './world.ts'

type Sending = Parameters<World['inbox']['mailSend']>[0]

/** Registers agents, so that they count as just seen. */
export async function known(world: World, ...names: string[]): Promise<void> {
  for (const agent of names) await world.as(agent).agentRegister({})
}

export async function mail(world: World, input: Partial<Sending> = {}): Promise<string> {
  const { message } = await world.inbox.mailSend({
    from: 'lead',
    to: 'worker',
    subject: 'News',
    ...input,
  })
  return message?.id as string
}

export async function states(world: World, recipient: string): Promise<unknown[]> {
  const rows = await world.sql(
    'select state from deliveries where recipient = ? order by event_id',
    recipient,
  )
  return rows.map(({ state }) => state)
}

export const ids = ({ messages }: { messages: { id: string }[] }) => messages.map(({ id }) => id)

/** Sends many messages in the same millisecond, since the store's clock stands still. Returns their ids in order. */
export async function flood(world: World, count: number): Promise<string[]> {
  const { connect } = await import('../../src/index.ts')
  const lead = await connect(world.address, { agent: 'lead' })
  try {
    const sending = Array.from({ length: count }, (_, i) =>
      lead.mailSend({ to: 'worker', subject: `News ${i}` }),
    )
    const sent = await Promise.all(sending)
    return sent
      .sort((a, b) => a.next_event_id - b.next_event_id)
      .map(({ message }) => message?.id as string)
  } finally {
    await lead.close()
  }
}
