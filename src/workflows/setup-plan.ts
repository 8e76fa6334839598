// The commands of setup. A value never becomes a part of a command: where the file has a placeholder, the command has a
// variable of the shell, and the value comes by the environment.

import { RESERVED_VALUES } from './fill.ts'
import type { KickoffPiece, SetupStep } from './plan.ts'
import type { Reader } from './reader.ts'

/** The beginning of those variables. */
const VALUE = 'WORKFLOW_VALUE_'

/** By index: the names that commands give their output, where they may have them. */
export function namesOfSteps({ raw, say }: Pick<Reader, 'raw' | 'say'>): Map<number, string> {
  const names = new Map<number, string>()
  for (const [index, { as }] of (raw.setup ?? []).entries()) {
    const path = `setup.${index}.as`
    if (as === undefined) continue
    if ((RESERVED_VALUES as readonly string[]).includes(as)) {
      say(path, `${as} is the name of other values`, 'choose another name for this output')
    } else if ([...names.values()].includes(as)) {
      say(path, `two commands of setup are called ${as}`, 'rename one of them')
    } else names.set(index, as)
  }
  return names
}

export function planStep(
  { fill }: Pick<Reader, 'fill'>,
  { shell, as }: { shell: string; as?: string },
  index: number,
  names: ReadonlyMap<number, string>,
): Omit<SetupStep, 'line' | 'column'> {
  const setup = [...names].filter(([at]) => at < index).map(([, name]) => name)
  const later = [...names].filter(([at]) => at >= index).map(([, name]) => name)
  const values: SetupStep['values'] = []
  const parts = fill.parts(`setup.${index}.shell`, shell, 'run and setup', { setup, later })
  const words = parts.map(({ own, pieces }) => {
    if (own) return textOf(pieces)
    const variable = `${VALUE}${values.length + 1}`
    const [first] = pieces
    const isOutput = first !== undefined && 'setup' in first
    values.push({ variable, value: isOutput ? first : textOf(pieces) })
    return `\${${variable}}`
  })
  return { shell: words.join(''), written: shell, ...(as === undefined ? {} : { as }), values }
}

function textOf(pieces: readonly KickoffPiece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
}
