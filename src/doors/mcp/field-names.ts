// Spells the fields of answers like the arguments of their tools: a model that reads `inReplyTo` can pass
// `inReplyTo`. Mail tools use the spelling of the files and programs that mail comes from, work tools that of
// everything else. Only names in the answer's description are changed: data from others keeps its keys.

import type { ToolSet } from '../../core/principal.ts'
import { ANSWER_NOTES } from '../../ops/answer-notes.ts'
import type { AnswerValue, Holds } from '../../ops/kit/answer.ts'

export const SPELLINGS: Record<ToolSet, 'camel' | 'snake'> = {
  workspace: 'snake',
  mailbox: 'camel',
  threads: 'snake',
  requests: 'snake',
  workflow: 'snake',
}

export function spellAnswer(set: ToolSet, holds: Holds, answer: object): object {
  if (SPELLINGS[set] === 'snake') return answer
  return spellRecord({ ...(ANSWER_NOTES as Holds), ...holds }, answer)
}

/** Respells the details of a refusal. They have no description, so only their top-level names are changed. */
export function spellDetails(set: ToolSet, details: Record<string, unknown>): object {
  if (SPELLINGS[set] === 'snake') return details
  const { stop, ...rest } = details
  const named = Object.entries(rest).map(([name, value]) => [camel(name), value])
  return {
    ...Object.fromEntries(named),
    ...(stop === undefined ? {} : spellRecord(ANSWER_NOTES as Holds, { stop })),
  }
}

function spellRecord(holds: Holds, record: object): object {
  const parts = Object.entries(record).map(([name, value]) => {
    const known = holds[name]
    return known === undefined ? [name, value] : [camel(name), spellValue(known, value)]
  })
  return Object.fromEntries(parts)
}

function spellValue({ of, record }: AnswerValue, value: unknown): unknown {
  if (of !== undefined && Array.isArray(value)) return value.map((one) => spellValue(of, one))
  if (record === undefined || typeof value !== 'object' || value === null) return value
  return spellRecord(record.holds, value)
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
