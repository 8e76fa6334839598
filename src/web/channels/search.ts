// The part of a channel's address that follows the name: where one reads, what stands beside it, and which revision of a
// document is shown.

export type ChannelSearch = {
  /** The place of an entry. */
  entry?: number
  /** Agents and documents: shown where there is room, unless the person says otherwise. */
  panel?: 'around' | 'none'
  revision?: number
  /** The revision that the shown one is compared with. */
  since?: number
}
