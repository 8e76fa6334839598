// Holds back every other request of the page (the person, settings, counts, the stream) until the first rows are there.

/** If the list doesn't come, the rest stops waiting. */
const MOST_MS = 2000

const { promise, resolve } = Promise.withResolvers<void>()

/** The first rows are there, or won't come. A turn later they are drawn. */
export function firstIsHere(): void {
  setTimeout(resolve)
}

export function waitForFirst(): void {
  setTimeout(resolve, MOST_MS)
}

export function afterFirst(): Promise<void> {
  return promise
}
