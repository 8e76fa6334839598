import { refuse } from '../../core/error.ts'
import { effectName } from '../../core/requests/effect.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  anything,
  aRecord,
  aText,
  orNull,
} from '../kit/answer.ts'
import { text } from '../kit/field.ts'
import { PEOPLE } from '../kit/operation.ts'
import { command } from '../kit/shell.ts'

/** Enough of the digest to rule out another list of commands with the same prefix. */
const DIGITS = 32

const COMMAND = aRecord('command', 'what wakes one agent, or is one effect', {
  agent: aText('the agent; or effect:TYPE, for the effect of approvals of that type'),
  command: anything<readonly string[]>('the program and its arguments'),
  cwd: orNull(aText('where it runs')),
  allowed: aFlag('whether it is allowed on this machine'),
})

export type WakeCommand = AnswerRecord<typeof COMMAND>

const COMMANDS = {
  store: aText('the location of the store'),
  commands: aList(COMMAND, 'every command of the store'),
  shown: aText('a code for exactly these commands: pass it to allow them'),
}

export type WakeCommands = AnswerOf<typeof COMMANDS>

export const wakeAllow = command({
  name: 'wake allow',
  example: 'wake allow',
  summary: 'Show the commands that a store starts, and allow them to start on this machine.',
  about:
    "The commands that wake agents, and those that approvals start, are in the store. A command that was set on this machine, at the shell, by one of your programs that uses the library, or through the server's socket, is allowed. A command that came with a copy, a clone, an import, a restored backup or a token is held: serve and wake run do not start it. Without flags this shows all commands and a code for them. With --shown and that code it allows exactly those commands, and refuses if any has changed. A command is allowed for this user on this machine; a changed command must be allowed again.",
  fields: { shown: text('allow the commands that were shown with this code', { max: 64 }) },
  writes: 'nothing',
  callers: PEOPLE,
  refusals: ['invalid_input', 'invalid_state'],
  async run(context, input): Promise<WakeCommands> {
    const { store, allowedCommands } = context
    const [agents, effects] = await Promise.all([store.agents({}), store.effectCommands()])
    const found = [
      ...agents.flatMap(({ agent_id, wake }) =>
        wake.command === undefined ? [] : [{ name: agent_id, run: wake }],
      ),
      ...effects.map(({ request_type, run }) => ({ name: effectName(request_type), run })),
    ]
    const words = found.map(({ name, run }) => [name, run.command, run.cwd ?? null])
    const shown = (await context.digest(JSON.stringify(words))).slice(0, DIGITS)
    if (input.shown !== undefined && input.shown !== shown)
      throw refuse.invalid_state`these are not the commands that were shown; look at them again with 'inbox wake allow'`
    if (input.shown !== undefined) {
      for (const { name, run } of found) await allowedCommands.allow(name, run)
    }
    const commands = found.map(
      async ({ name, run }): Promise<WakeCommand> => ({
        agent: name,
        command: run.command ?? [],
        cwd: run.cwd ?? null,
        allowed: await allowedCommands.includes(name, run),
      }),
    )
    return { store: store.place, commands: await Promise.all(commands), shown }
  },
  answer: COMMANDS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawCommands(answer, page),
})
