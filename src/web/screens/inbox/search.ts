import {
  type GivenSearch,
  idIn,
  makeSearch,
  nameIn,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search.ts'

export type InboxFilters = SearchParts<{
  view: 'unread' | 'snoozed'
  group: 'workspace'
  q: string
  ws: string
  agent: string
}>

export function readInboxSearch(given: GivenSearch): InboxFilters {
  return {
    view: oneOf(['unread', 'snoozed'], given.view),
    group: oneOf(['workspace'], given.group),
    q: textIn(given.q),
    ws: idIn(given.ws),
    agent: nameIn(given.agent),
  }
}

export const NO_FILTERS: InboxFilters = {
  view: undefined,
  group: undefined,
  q: undefined,
  ws: undefined,
  agent: undefined,
}

export function isFiltered({ view, ws, agent, q }: InboxFilters): boolean {
  return view !== undefined || ws !== undefined || agent !== undefined || q !== undefined
}

export const useInboxSearch = makeSearch(readInboxSearch)
