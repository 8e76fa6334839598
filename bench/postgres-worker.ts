// One system working through its queue with a number of clients. Answers with jobs per second in the middle four
// fifths, because connecting and stopping aren't measured.

import { Client } from 'pg'
import { answer, nextMessage } from './child.ts'
import { PEERS, type PeerName } from './postgres-peers.ts'

export type WorkTask = {
  peer: PeerName
  url: string
  direct: string
  clients: number
  /** `backlog` jobs are put in the queue, and `jobs` of them are done. */
  backlog: number
  jobs: number
}

const task = await nextMessage<WorkTask>()
const peer = PEERS[task.peer](task.url, task.direct)
await peer.fill(task.backlog)
// Vacuums and analyzes now, as the server would on its own within a minute or so.
const client = new Client({ connectionString: task.direct })
await client.connect()
await client.query('vacuum analyze')
await client.end()
const times: number[] = []
await peer.work(task.clients, task.jobs, () => times.push(performance.now()))
const from = Math.floor(task.jobs * 0.1)
const to = Math.floor(task.jobs * 0.9)
answer(((to - from) * 1000) / ((times[to] as number) - (times[from] as number)))
