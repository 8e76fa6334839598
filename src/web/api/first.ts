// The first rows come before everything else that the page asks for: who looks, their settings, the counts, the stream.

/** Where the list does not come, the rest does not wait for it. */
const MOST_MS = 2000

const { promise, resolve } = Promise.withResolvers<void>()

/** The first rows have come, or will not. A turn later they are drawn. */
export function firstIsHere(): void {
  setTimeout(resolve)
}

export function waitForFirst(): void {
  setTimeout(resolve, MOST_MS)
}

export function afterFirst(): Promise<void> {
  return promise
}
