// A decision takes the drafts of its request with it, and undoing it returns them.

import { returnDrafts, type TakenDrafts, takeDrafts, takeDraftsAgain } from '../../live/drafts.ts'
import type { DecisionName } from './request-answer.ts'

/** The key of the text that goes with a decision: the answer, the reason, the notes. */
export function draftOf(verdict: DecisionName, id: string): string {
  return `${verdict}:${id}`
}

const VERDICTS: readonly DecisionName[] = ['approve', 'reject', 'request-revision']
const taken = new Map<string, TakenDrafts>()

export function takeWords(id: string): void {
  taken.set(id, takeDrafts(VERDICTS.map((verdict) => draftOf(verdict, id))))
}

export function giveWordsBack(id: string): void {
  returnDrafts(taken.get(id) ?? new Map())
}

export function takeWordsAgain(id: string): void {
  takeDraftsAgain(taken.get(id) ?? new Map())
}
