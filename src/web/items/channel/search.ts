import { type GivenSearch, makeSearch, oneOf, type SearchParts } from '../../ui/search.ts'

export type ChannelSearch = SearchParts<{
  entry: number
  /** The panel with agents and documents is shown where there's room, unless the person chooses otherwise. */
  panel: 'around' | 'none'
  revision: number
  /** The revision to compare the shown one with. */
  since: number
}>

export function readChannelSearch(given: GivenSearch): ChannelSearch {
  return {
    entry: countIn(given.entry),
    panel: oneOf(['around', 'none'], given.panel),
    revision: countIn(given.revision),
    since: countIn(given.since),
  }
}

/** Entries and revisions are numbered from one. */
function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined
}

export const useChannelSearch = makeSearch(readChannelSearch)
