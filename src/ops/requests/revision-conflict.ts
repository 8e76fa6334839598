// Somebody who names another revision than the present one is told what has changed since.

import { Refusal, refuse } from '../../core/error.ts'
import { lettersIn } from '../../core/page-bytes.ts'
import { changesBetween } from '../../core/requests/changes.ts'
import type { Context } from '../kit/operation.ts'
import { comparable, storyOf } from './timeline.ts'

/** Longer changes are not part of a refusal, which says where they are shown. */
const MOST_LETTERS = 65_536

/** Does the work. Its revision_conflict gets the changes from the revision that was named to the present one. */
export async function addChangesToConflict<T>(
  { store }: Pick<Context, 'store'>,
  { request, revision }: { request: string; revision: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'revision_conflict') throw error
    const { revisions } = storyOf(await store.requestLog(request))
    const [named, present] = [revisions[revision - 1], revisions.at(-1)]
    if (named === undefined || present === undefined) throw error
    const changes = changesBetween(comparable(named), comparable(present))
    if (lettersIn(changes) > MOST_LETTERS) throw error
    throw refuse(error.code, (words) => error.inWords(words), { ...error.details, changes })
  }
}
