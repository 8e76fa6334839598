import { RISKS, type Risk } from '../../../core/requests/request-record.ts'
import {
  type GivenSearch,
  idIn,
  makeSearch,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search.ts'

export type ApprovalSearch = SearchParts<{
  tab: 'resolved'
  type: string
  risk: Risk
  q: string
  /** `new` sorts the newest first. By default, the pending requests that expire soonest come first. */
  sort: 'new'
  /** The two revisions to compare, such as `2-3`. */
  rev: string
  raw: true
  /** The linked thread open beside the request. */
  thread: string
}>

export function readSearch(given: GivenSearch): ApprovalSearch {
  return {
    tab: oneOf(['resolved'], given.tab),
    type: textIn(given.type, 64),
    risk: oneOf(RISKS, given.risk),
    q: textIn(given.q),
    sort: oneOf(['new'], given.sort),
    rev: typeof given.rev === 'string' && /^\d+-\d+$/.test(given.rev) ? given.rev : undefined,
    raw: given.raw === true || given.raw === 1 ? true : undefined,
    thread: idIn(given.thread),
  }
}

export const useApprovalSearch = makeSearch(readSearch)

export function filtersIn({ rev: _, raw: __, thread: ___, ...filters }: ApprovalSearch) {
  return filters
}
