// Reads that are asked in one turn of the event loop travel together: one connection, one round trip.
// Without this a call that needs five answers would open five connections, and a new one costs a
// server process and a login, more than all five answers.

import type { PoolClient, QueryConfig, QueryResult } from 'pg'

type Trip = { client: Promise<PoolClient>; travellers: number }

export type Ask = (query: QueryConfig) => Promise<QueryResult>

export function roundTrips(
  take: () => Promise<PoolClient>,
  isLost: (error: unknown) => boolean,
): Ask {
  let boarding: Trip | undefined

  const board = (): Trip => {
    if (boarding === undefined) {
      const trip = { client: take(), travellers: 0 }
      boarding = trip
      queueMicrotask(() => {
        if (boarding === trip) boarding = undefined
      })
    }
    boarding.travellers += 1
    return boarding
  }

  return async (query) => {
    const trip = board()
    const client = await trip.client
    let lost: Error | undefined
    try {
      return await client.query(query)
    } catch (error) {
      if (isLost(error)) lost = error as Error
      throw error
    } finally {
      trip.travellers -= 1
      if (trip.travellers === 0) client.release(lost)
    }
  }
}
