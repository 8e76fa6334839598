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
