// The one line by which a message is listed: as it was given, or the first line of its body.

import { refuse } from '../../core/error.ts'
import { field, sentence } from '../../core/sentence.ts'

export const FIRST_LINE = 'the first line of the body'

type LineInput = { summary?: string | undefined; body?: string | undefined }

/** Checks that there is something to say. */
export function mustHaveSummary(input: LineInput, called: 'summary' | 'subject' = 'summary'): void {
  if ((input.summary ?? input.body ?? '').trim() !== '') return
  throw refuse(
    'invalid_input',
    sentence`${field(called)} is missing: say in one line what this is about, or write ${field('body')}`,
  )
}

export function summaryOf({ summary, body = '' }: LineInput): string {
  return summary ?? firstLine(body)
}

function firstLine(body: string): string {
  const line = body.trim().split('\n')[0]?.trimEnd() ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
