// The address of the screen of threads holds everything that is chosen there: the tab, whose work, the words that are
// looked for, and the message that is pointed at.

import {
  type GivenSearch,
  idIn,
  makeSearch,
  nameIn,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search.ts'
import { TABS, type ThreadTab } from './tabs.ts'

export type ThreadSearch = SearchParts<{ state: ThreadTab; agent: string; q: string; at: string }>

export function readThreadSearch({ state, agent, q, at }: GivenSearch): ThreadSearch {
  return {
    state: oneOf(Object.keys(TABS) as ThreadTab[], state),
    agent: nameIn(agent),
    q: textIn(q),
    at: idIn(at),
  }
}

export const useThreadSearch = makeSearch(readThreadSearch)
