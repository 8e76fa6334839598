// Holds back every other request of the page (the person, settings, counts, the stream) until the first rows are there.

/** How long the other requests wait at most if the list doesn't load. */
const MOST_MS = 2000

const { promise, resolve } = Promise.withResolvers<void>()

/** Call this when the first rows have loaded, or have failed to. They are rendered a turn later. */
export function firstIsHere(): void {
  setTimeout(resolve)
}

export function waitForFirst(): void {
  setTimeout(resolve, MOST_MS)
}

export function afterFirst(): Promise<void> {
  return promise
}
