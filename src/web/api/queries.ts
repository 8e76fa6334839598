import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { OperationAnswer, OperationName } from '../../ops/catalogue.ts'
import { CallRefusal, call, get, type PageInput } from './call.ts'

/** Retrying doesn't change a refusal, but an unreachable server may come back. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const isAway = error instanceof CallRefusal && (error.status === 0 || error.status === 503)
  return isAway && failures < 3
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream reports every change, so only answers that depend on the clock are refetched by time.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: isWorthRetrying,
    },
  },
})

/** Refetches every query that has no data yet, including requests that hang. */
export function askAnew(): void {
  void queries.resetQueries({ predicate: ({ state }) => state.data === undefined })
}

/** The query for a single answer. For a list with several pages, use `pagesOf`. */
export function asking<Name extends OperationName>(name: Name, input: PageInput<Name>) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: async ({ signal }): Promise<OperationAnswer<Name>> => {
      await afterFirst()
      return call(name, input, { signal })
    },
  })
}

export type Me = {
  principal: { kind: string; name: string; proof: string }
  store: string
  /** The command that starts the program in a shell on the server's machine. */
  program: string
  /** The store, in the form that `--db` accepts on that machine. */
  db: string
  version: string
  connect: { agent: string[]; workspace: string[]; here: string[] }
  /** The files that the server's current page loads first. */
  app?: string[]
}

export const me = queryOptions({
  queryKey: ['me'] as const,
  queryFn: async ({ signal }) => {
    await afterFirst()
    return get<Me>('/api/me', signal)
  },
})

// Every other request of the page (the person, settings, counts, the stream) waits until the first rows have loaded.

/** The longest time the other requests wait if the list doesn't load. */
const MOST_MS = 2000

const { promise, resolve } = Promise.withResolvers<void>()

/** Call this when the first rows have loaded or failed to load. They are rendered before the other requests start. */
export function firstIsHere(): void {
  setTimeout(resolve)
}

export function waitForFirst(): void {
  setTimeout(resolve, MOST_MS)
}

export function afterFirst(): Promise<void> {
  return promise
}
