// Makes the model for the completion scripts from the catalogue: commands, their flags, and the values a flag may take.

import type { Field } from '../../ops/kit/field.ts'
import { flagOf } from './argv.ts'
import {
  type Command,
  makeBashScript,
  makeFishScript,
  makeZshScript,
  type Offer,
  type SHELL_NAMES,
  type StoreValues,
  type WordValues,
} from './completion-scripts.ts'
import { GLOBAL_FLAGS } from './flags.ts'
import { commandFlags } from './help.ts'
import { groupsOf, operations } from './listing.ts'
import { belongsTo, type ProgramName, shortName } from './program.ts'

const LOCAL: Command[] = [
  { name: 'help', summary: 'Explain the commands.' },
  { name: 'version', summary: 'Print the version.' },
  { name: 'completion', summary: 'Print a completion script.' },
].map((one) => ({ ...one, flags: [], values: new Map() }))

const SHELLS = { bash: makeBashScript, zsh: makeZshScript, fish: makeFishScript }

export async function makeCompletion(
  shell: (typeof SHELL_NAMES)[number],
  program: ProgramName,
): Promise<string> {
  const ops = (await operations()).filter(({ name }) => belongsTo(program, name))
  const ofCatalogue = ops.map((op): Command => {
    const own = commandFlags(op, { all: true })
    const names = new Set(own.map((spec) => spec.flag))
    const flags = [...own, ...GLOBAL_FLAGS.filter((spec) => !names.has(spec.flag))]
    const [first] = Object.entries(op.fields).filter(([, field]) => field.positional)
    const values = new Map<string, WordValues>([['--agent', { ask: 'agents' }]])
    for (const [key, field] of Object.entries(op.fields)) {
      const found = valuesOf(key, field)
      if (found !== undefined) values.set(flagOf(key, field.kind), found)
    }
    const word = first && valuesOf(...first)
    const isFile = first?.[1].kind === 'path' || first?.[0] === 'docs'
    return { name: shortName(program, op.name), summary: op.summary, flags, word, isFile, values }
  })
  const commands = [...ofCatalogue, ...LOCAL]
  const groups = [...groupsOf(commands)].map(([group]): [string, Offer[]] => [
    group,
    offersAfter(commands, group),
  ])
  return SHELLS[shell]({
    program,
    id: program.replaceAll('-', '_'),
    commands,
    groups: [['', offersAfter(commands, '')], ...groups],
    ask: (what) => `${program} completion ${what} 2>/dev/null`,
  })
}

const FROM_STORE: Readonly<Record<string, StoreValues>> = {
  thread: 'ids',
  threads: 'ids',
  agent: 'agents',
  request: 'requests',
  requests: 'requests',
  entry: 'pushes',
  entries: 'pushes',
}

function valuesOf(key: string, { kind, of, takesBack }: Field): WordValues | undefined {
  if (of !== undefined) return { of: takesBack ? [...of, 'none'] : of }
  if (kind === 'self' || kind === 'address') return { ask: 'agents' }
  const ask = FROM_STORE[key]
  return ask && { ask }
}

/** The words that may follow a group. One that is only a group is described by the words after it. */
function offersAfter(commands: Command[], group: string): Offer[] {
  const head = group === '' ? '' : `${group} `
  const rest = commands.filter(({ name }) => name.startsWith(head))
  const tails = rest.map(({ name, summary }) => ({ tail: name.slice(head.length), summary }))
  const byWord = Map.groupBy(tails, ({ tail }) => tail.split(' ')[0] as string)
  return [...byWord].map(([word, found]) => {
    const itself = found.find(({ tail }) => tail === word)
    const after = found.map(({ tail }) => tail.split(' ')[1]).filter((one) => one !== undefined)
    return { word, summary: itself?.summary ?? [...new Set(after)].join(', ') }
  })
}
