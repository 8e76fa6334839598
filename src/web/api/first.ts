// The first rows come before everything else that the page asks for: who looks, their settings, the counts, the stream.

/** Where the list does not come, the rest does not wait for it. */
const MOST_MS = 2000

const { promise, resolve } = Promise.withResolvers<void>()

/** What was asked for first has come, or will not. A turn later it is drawn. */
export function firstIsHere(): void {
  setTimeout(resolve)
}

export function waitForFirst(): void {
  setTimeout(resolve, MOST_MS)
}

export function afterFirst(): Promise<void> {
  return promise
}
