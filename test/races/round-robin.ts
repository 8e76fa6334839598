// Processes write to one role at the same time. Do its members get the messages strictly in turn?

import { connect } from '../../src/index.ts'
import type { Mailed } from '../programs/mailer.ts'
import { startProgram, startTogether } from '../programs/start.ts'
import type { Engine } from '../worlds/store.ts'
import { withStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

const MEMBERS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus']

export type Turns = {
  /** The recipients in log order, and the order that strict turns would give. */
  turns: string[]
  expected: string[]
  /** The answers the senders got, and the stored messages. If they differ, something was lost. */
  told: Mailed[]
  stored: Mailed[]
  problems: string[]
}

export async function mailTogether(
  engine: Engine,
  { senders, each, source }: { senders: number; each: number; source?: string },
): Promise<Turns> {
  return withStore(engine, async (store) => {
    const client = await connect(store.address)
    for (const agent of MEMBERS) {
      await client.agentRegister({ agent, role: 'builder', status: 'idle' })
    }
    await client.close()
    const programs = await startTogether(senders, (i) => {
      const args = [store.address, `sender${i}`, 'role:builder', String(each)]
      return startProgram<Mailed>('mailer', args, { source })
    })
    const told = (await Promise.all(programs.map((program) => program.rest()))).flat()
    const rows = await store.sql('select recipient, message_id from deliveries order by event_id')
    const stored = rows.map(({ message_id, recipient }) => ({
      id: String(message_id),
      recipient: String(recipient),
    }))
    return {
      turns: stored.map(({ recipient }) => recipient),
      expected: stored.map((_, i) => MEMBERS[i % MEMBERS.length] as string),
      told: told.sort(byId),
      stored: stored.sort(byId),
      problems: [
        ...programs.map((program) => program.stderr()).filter((said) => said !== ''),
        ...(await findingsOf(store.address)),
      ],
    }
  })
}

function byId(a: Mailed, b: Mailed): number {
  return a.id < b.id ? -1 : 1
}
