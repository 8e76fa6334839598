import { refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { PEOPLE } from './operation.ts'
import type { Shell } from './shell.ts'
import { command } from './shell.ts'

export type Command = { agent: string; command: readonly string[]; cwd: string | null }

export const wakeApprove = command({
  name: 'wake approve',
  summary: 'Let the programs of a store that came from elsewhere be started on this machine.',
  about:
    "The commands that wake agents are in the store. One that was made here is approved; one that was copied, cloned, restored or filled from a log is not, and neither serve nor wake run starts anything for it until you have looked at its commands, in 'inbox agent list' or the answer to this, and approved it. From then on every command that is set in it is started.",
  fields: {},
  writes: 'nothing',
  callers: PEOPLE,
  refusals: ['invalid_input', 'forbidden'],
  async run({ shell, store }): Promise<{ store: string; commands: Command[] }> {
    await shell.approval.give()
    return { store: store.place, commands: await commandsOf(store) }
  },
})

export async function mustBeApproved({ approval }: Shell, store: Store): Promise<void> {
  if (await approval.isGiven()) return
  throw refuse('forbidden', await whyNot(store))
}

export async function whyNot(store: Store): Promise<string> {
  const { length } = await commandsOf(store)
  const commands = length === 1 ? '1 command' : `${length} commands`
  return `wakes are off for ${store.place}, which came from elsewhere with ${commands}; look at them with 'inbox agent list --json' and approve with 'inbox wake approve'`
}

async function commandsOf(store: Store): Promise<Command[]> {
  const agents = await store.agents({})
  return agents.flatMap(({ agent_id, wake: { command, cwd } }) =>
    command === undefined ? [] : [{ agent: agent_id, command, cwd: cwd ?? null }],
  )
}
