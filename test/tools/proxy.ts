// A TCP proxy in front of PostgreSQL that is slow, cuts connections, or holds everything back.
//
// (1) Delay: every chunk arrives delayMs later, in order. Chunks wait in parallel, so a pipelined exchange costs one
//     round trip, as on a real network.
// (2) Cut "after": the message has gone to the server, and the client's connection ends before any answer. The server
//     finishes its work: a commit happens and its client never learns of it. Cut "before": the server gets the end of
//     the connection instead of the message. pg_terminate_backend never produces the first case.
// (3) Pause: connections stay open and nothing passes, not even the end of a connection.
//
// There is no TLS, because the proxy has to read the messages.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type FrontendMessage, readFrontendMessages } from './frontend-messages.ts'

export type CutMoment = 'before' | 'after'

export type ProxyOptions = {
  /** The delay in each direction: 5 makes a round trip take 10 ms. */
  delayMs?: number
  cut?: { probability: number; seed: number }
}

export type PostgresProxy = {
  url: string
  /** Connections cut so far. */
  readonly cuts: number
  /** Applies to the next commit on any connection. Multiple calls queue up. */
  cutNextCommit(moment: CutMoment): void
  /** From now on, cuts the connection after each client message with this probability; 0 stops that. */
  cutRandomly(probability: number, seed: number): void
  cutAll(): void
  pause(): void
  /** Lets through the data that was held back. */
  resume(): void
  stop(): Promise<void>
}

type Link = { end(): void; flush(): void }
type Line = { send(chunk: Buffer): void; close(): void; flush(): void }

export async function startProxy(
  targetUrl: string,
  options: ProxyOptions = {},
): Promise<PostgresProxy> {
  const target = new URL(targetUrl)
  const { delayMs = 0, cut } = options
  const links = new Set<Link>()
  const commitCuts: CutMoment[] = []
  let isPaused = false
  let cuts = 0
  let isCutNow = chance(cut?.probability ?? 0, cut?.seed ?? 0)

  function cutMoment(message: FrontendMessage): CutMoment | undefined {
    if (message.isStartup) return undefined
    const moment = message.isCommit ? commitCuts.shift() : undefined
    return moment ?? (isCutNow() ? 'after' : undefined)
  }

  function cutLink(link: Link): void {
    cuts++
    link.end()
  }

  function open(client: Socket): void {
    const server = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const read = readFrontendMessages()
    let isOver = false

    const toServer = makeLine({
      delayMs,
      isHeld: () => isPaused,
      deliver(chunk) {
        if (isOver) return
        const passing: Buffer[] = []
        let moment: CutMoment | undefined
        for (const message of read(chunk)) {
          moment = cutMoment(message)
          if (moment !== 'before') passing.push(message.bytes)
          if (moment) break
        }
        if (passing.length > 0) server.write(Buffer.concat(passing))
        if (moment) cutLink(link)
      },
      close: () => server.end(),
    })
    const toClient = makeLine({
      delayMs,
      isHeld: () => isPaused,
      deliver: (chunk) => {
        if (!isOver) client.write(chunk)
      },
      close: () => client.end(),
    })
    const link: Link = {
      // Closes the server's side cleanly after what was sent, and reads and drops its responses, because a reset could
      // overtake the commit.
      end() {
        isOver = true
        client.destroy()
        server.end()
        links.delete(link)
      },
      flush() {
        toServer.flush()
        toClient.flush()
      },
    }
    links.add(link)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      // 'close' follows every error and is all that matters.
      socket.on('error', () => {})
    }
    let sockets = 2
    const forget = () => {
      if (--sockets === 0) links.delete(link)
    }
    client.on('data', toServer.send).on('close', toServer.close).on('close', forget)
    server.on('data', toClient.send).on('close', toClient.close).on('close', forget)
  }

  const listener = createServer(open).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${address.port}`

  return {
    url: url.href,
    get cuts() {
      return cuts
    },
    cutNextCommit: (moment) => void commitCuts.push(moment),
    cutRandomly(probability, seed) {
      isCutNow = chance(probability, seed)
    },
    cutAll: () => [...links].forEach(cutLink),
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      for (const link of links) link.flush()
    },
    async stop() {
      const closed = once(listener, 'close')
      listener.close()
      for (const link of links) link.end()
      await closed
    },
  }
}

// One direction of one connection. Each timer only allows one more chunk through, and the head of the queue goes, so
// the order doesn't depend on the order of timers.
function makeLine(ends: {
  delayMs: number
  isHeld(): boolean
  deliver(chunk: Buffer): void
  close(): void
}): Line {
  const queue: (Buffer | undefined)[] = []
  let due = 0

  function flush(): void {
    while (due > 0 && !ends.isHeld()) {
      due--
      const chunk = queue.shift()
      if (chunk) ends.deliver(chunk)
      else ends.close()
    }
  }
  function arrive(chunk: Buffer | undefined): void {
    queue.push(chunk)
    const pass = () => {
      due++
      flush()
    }
    if (ends.delayMs > 0) setTimeout(pass, ends.delayMs)
    else pass()
  }
  return { send: arrive, close: () => arrive(undefined), flush }
}

// The same seed gives the same series of decisions; which message gets which decision depends on the order in which
// connections send.
function chance(probability: number, seed: number): () => boolean {
  let count = 0
  return () => {
    if (probability <= 0) return false
    const hash = createHash('sha256').update(`${seed} ${count++}`).digest()
    return hash.readUInt32BE() / 2 ** 32 < probability
  }
}
