// When an opened message counts as read. Not while a key that is held down has gone on to other rows; and not again after
// somebody marked it as unread, until it is opened anew.

const kept = new Set<string>()
let selected: string | undefined

export function keepUnread(ids: readonly string[]): void {
  for (const id of ids) kept.add(id)
}

export function openAnew(id: string): void {
  kept.delete(id)
}

/** The list tells which row is selected; what is open may be one behind. */
export function goOnTo(id: string | undefined): void {
  selected = id
}

export function isToBeRead(id: string): boolean {
  return !kept.has(id) && (selected === undefined || selected === id)
}
