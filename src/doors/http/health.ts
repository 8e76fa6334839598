import { decline, json, text } from './answer.ts'
import { type HttpServer, liveStores, type ServedStore } from './http-server.ts'
import { identifyCaller } from './identity.ts'
import type { Gauge } from './metrics.ts'
import type { HttpCall } from './route.ts'

/** A store whose writes take longer than this isn't ready. */
const READY_MS = 2000
/** Counting is expensive, so calls within this time share the result. */
const COUNTED_MS = 5000

/** A caller on the socket has access to the store, so it also gets the URL for browsers. */
export async function answerHealth(
  { server, connection }: HttpCall,
  more: { instance?: string; store?: string } = {},
): Promise<Response> {
  const { version, openCalls, url } = server
  const where = connection.way === 'socket' ? { url } : {}
  return json({ ok: true, version, stopping: openCalls.isStopping(), ...more, ...where })
}

/** With tokens, the response doesn't reveal the number of stores, because a token is for only one of them. */
export async function answerReady({ server }: HttpCall): Promise<Response> {
  const stores = await Promise.all(server.stores.map((served) => takesWrites(served)))
  const isReady = stores.every((one) => one) && !server.openCalls.isStopping()
  const counts = { stores: stores.length, answering: stores.filter(Boolean).length }
  const status = isReady ? 200 : 503
  return json(server.auth === 'tokens' ? { ok: isReady } : { ok: isReady, ...counts }, status)
}

async function takesWrites({ isReady }: ServedStore): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_MS)
  })
  return Promise.race([isReady(), late]).finally(() => clearTimeout(timer))
}

export async function answerMetrics(asked: HttpCall): Promise<Response> {
  const { server } = asked
  const gauges = (await Promise.all((await countedFor(asked)).map(gaugesOf))).flat()
  const body = server.metrics.text([...gauges, waiting(server)])
  return text(body, 'text/plain; version=0.0.4; charset=utf-8')
}

/** A server that only this machine can reach shows all metrics. Otherwise, callers only get their store's. */
async function countedFor(asked: HttpCall): Promise<readonly ServedStore[]> {
  const { server } = asked
  if (server.auth === 'local') return liveStores(server.stores)
  const known = await identifyCaller(server, asked)
  if (known === null) throw decline(401, 'the metrics need the token of a person or a service')
  if (known.principal.kind === 'agent') throw decline(403, 'the metrics are not for agents')
  return [known.served]
}

function waiting({ openCalls }: HttpServer): Gauge {
  return { name: 'inbox_calls_waiting', about: 'Calls under way.', value: openCalls.waiting() }
}

const counted = new WeakMap<ServedStore, { at: number; gauges: Promise<Gauge[]> }>()

function gaugesOf(served: ServedStore): Promise<Gauge[]> {
  const known = counted.get(served)
  if (known !== undefined && performance.now() - known.at < COUNTED_MS) return known.gauges
  const gauges = count(served)
  counted.set(served, { at: performance.now(), gauges })
  gauges.catch(() => counted.delete(served))
  return gauges
}

async function count(served: ServedStore): Promise<Gauge[]> {
  const { store } = served.house
  const [overview, mail, last] = await Promise.all([
    store.overview(1),
    store.mailTotals(await store.now()),
    store.lastEventId(),
  ])
  const labels = { store: served.id }
  const gauge = (name: string, about: string, value: number, more = {}): Gauge => {
    return { name, about, value, labels: { ...labels, ...more } }
  }
  return [
    gauge('inbox_events', 'Events in the log.', overview.counts.events),
    gauge('inbox_last_event_id', 'Where the log ends.', last),
    gauge('inbox_messages', 'Messages stored.', overview.counts.messages),
    gauge('inbox_mail_unread', 'Unread mail.', mail.unread),
    gauge('inbox_waiters', 'Waits in this process, including its own.', served.waiters()),
    gauge('inbox_listeners', 'Streams on the log.', served.tail.listeners()),
    ...Object.entries(overview.counts.threads).map(([status, n]) =>
      gauge('inbox_threads', 'Work threads by status.', n, { status }),
    ),
  ]
}
