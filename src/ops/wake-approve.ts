import { refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { type Context, PEOPLE, query } from './operation.ts'

export type Command = { agent: string; command: readonly string[]; cwd: string | null }

export const wakeApprove = query({
  name: 'wake approve',
  summary: 'Let the programs of a store that came from elsewhere be started on this machine.',
  about:
    "The commands that wake agents are in the store. One that was made here is approved; one that was copied, cloned or restored is not, and neither serve nor wake run starts anything for it until you have looked at its commands, in 'inbox agent list' or the answer to this, and approved it. From then on every command that is set in it is started.",
  fields: {},
  callers: PEOPLE,
  refusals: ['invalid_input', 'forbidden'],
  async run(context): Promise<{ store: string; commands: Command[] }> {
    const { approval, store } = context
    if (approval === undefined) {
      throw refuse('invalid_input', 'what may run on a machine is approved there; use the shell')
    }
    await approval.give()
    return { store: store.place, commands: await commandsOf(store) }
  },
})

export async function mustBeApproved({ approval, store }: Context): Promise<void> {
  if (approval === undefined || (await approval.isGiven())) return
  throw refuse('forbidden', await whyNot(store))
}

export async function whyNot(store: Store): Promise<string> {
  const { length } = await commandsOf(store)
  const commands = length === 1 ? '1 command' : `${length} commands`
  return `wakes are off for ${store.place}, which was not made here: ${commands}; look at them with 'inbox agent list --json' and approve with 'inbox wake approve'`
}

async function commandsOf(store: Store): Promise<Command[]> {
  const agents = await store.agents({})
  return agents.flatMap(({ agent_id, wake: { command, cwd } }) =>
    command === undefined ? [] : [{ agent: agent_id, command, cwd: cwd ?? null }],
  )
}
