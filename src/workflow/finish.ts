// The kickoff as it is sent, once setup has run.

import type { Kickoff, SetupValues, WorkflowPlan } from './plan.ts'

/** Undefined where the file has no kickoff. */
export function finish(
  { kickoff }: Pick<WorkflowPlan, 'kickoff'>,
  values: SetupValues,
): Kickoff | undefined {
  if (kickoff === undefined) return undefined
  let text = ''
  const mentionable: [number, number][] = []
  let open: [number, number] | undefined
  for (const piece of kickoff) {
    const from = text.length
    text += 'text' in piece ? piece.text : (values.get(piece.setup) ?? '')
    if ('setup' in piece || !piece.mentions) {
      open = undefined
      continue
    }
    // Words of the file and a param beside them are one text: @${{ params.who }} is a mention.
    if (open === undefined) {
      open = [from, text.length]
      mentionable.push(open)
    } else open[1] = text.length
  }
  return { text, mentionable }
}

/**
 * The names mentioned in the kickoff, once each, in order. The pattern runs over the whole text, so that a name which
 * goes on in a value is not cut off where the value begins.
 */
export function mentionsIn({ text, mentionable }: Kickoff, names: readonly string[]): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(MENTION)) {
    const [all, name = ''] = match
    const [from, to] = [match.index, match.index + all.length]
    const counts = mentionable.some(([start, end]) => from >= start && to <= end)
    if (counts && names.includes(name)) found.add(name)
  }
  return [...found]
}

export const MENTION = /@([a-zA-Z][a-zA-Z0-9_-]*)/g
