import type { WakeSettings } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { text } from '../kit/field.ts'
import { type Context, PEOPLE } from '../kit/operation.ts'
import { command } from '../kit/shell.ts'

export type Command = {
  agent: string
  command: readonly string[]
  cwd: string | null
  approved: boolean
}

export type Shown = {
  store: string
  commands: Command[]
  /** Names exactly these commands. */
  shown: string
}

/** So much of a digest that nobody finds another list with the same. */
const DIGITS = 32

export const wakeApprove = command({
  name: 'wake approve',
  summary: 'Show the commands of a store, and let them be started on this machine.',
  about:
    "The commands that wake agents are in the store. A command that was set on this machine is approved: at the shell, by a program of yours that uses the library, or through the server's socket. A command that came with a copy, a clone, an import, a restored backup or a token is held: serve and wake run do not start it. Without flags this shows all commands and a word for them. With --shown and that word it approves exactly those commands, and refuses when one has changed. An approval is for this user on this machine, and for one command: a changed command must be approved again.",
  fields: { shown: text('approve the commands for which this word was given', { max: 64 }) },
  writes: 'nothing',
  callers: PEOPLE,
  refusals: ['invalid_input', 'invalid_state'],
  async run(context, input): Promise<Shown> {
    const { store, approval } = context
    const agents = await store.agents({})
    const found = agents.filter(({ wake }) => wake.command !== undefined)
    const words = found.map(({ agent_id, wake }) => [agent_id, wake.command, wake.cwd ?? null])
    const shown = (await context.digest(JSON.stringify(words))).slice(0, DIGITS)
    if (input.shown !== undefined && input.shown !== shown) {
      throw refuse(
        'invalid_state',
        "these are not the commands that were shown; look at them again with 'inbox wake approve'",
      )
    }
    if (input.shown !== undefined) {
      for (const { agent_id, wake } of found) await approval.give(agent_id, wake)
    }
    const commands = found.map(
      async ({ agent_id, wake }): Promise<Command> => ({
        agent: agent_id,
        command: wake.command ?? [],
        cwd: wake.cwd ?? null,
        approved: await approval.isGiven(agent_id, wake),
      }),
    )
    return { store: store.place, commands: await Promise.all(commands), shown }
  },
})

export type WakeChange = { before: WakeSettings; after: WakeSettings }

/**
 * What is set by whoever may run programs here anyway is approved by that: at the shell, in the library, by
 * the socket. A token is good from anywhere. What the caller did not say must have stood approved: it may
 * have come from elsewhere.
 */
export async function approveIfSetHere(
  { approval, caller: { principal } }: Pick<Context, 'approval' | 'caller'>,
  said: { agent: string; wake_command?: unknown; wake_cwd?: unknown },
  { before, after }: WakeChange,
): Promise<void> {
  if (principal !== undefined && principal.proof !== 'socket') return
  const { wake_command: command, wake_cwd: cwd } = said
  if (command === undefined && cwd === undefined) return
  const isAllSaid =
    (command !== undefined || before.command === undefined) &&
    (cwd !== undefined || before.cwd === undefined)
  if (isAllSaid || (await approval.isGiven(said.agent, before))) {
    await approval.give(said.agent, after)
  }
}
