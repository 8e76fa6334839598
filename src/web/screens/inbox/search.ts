// The address of the inbox holds everything that is chosen there.

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

export const useInboxSearch = makeSearch(readInboxSearch)
