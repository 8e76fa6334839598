const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60]

type Durations = { buckets: number[]; sum: number; count: number }

export type Gauge = { name: string; about: string; value: number; labels?: Record<string, string> }

export type Metrics = {
  answered: (route: string, method: string, status: number, seconds: number) => void
  streamed: (change: 1 | -1) => void
  dropped: () => void
  streams: () => number
  requests: () => number
  text: (gauges: Gauge[]) => string
}

export function makeMetrics(): Metrics {
  const answers = new Map<string, number>()
  const durations = new Map<string, Durations>()
  let streams = 0
  let dropped = 0
  let requests = 0
  return {
    answered(route, method, status, seconds) {
      requests += 1
      const key = labels({ route, method, status: String(status) })
      answers.set(key, (answers.get(key) ?? 0) + 1)
      const own = durations.get(route) ?? { buckets: BUCKETS_S.map(() => 0), sum: 0, count: 0 }
      for (const [at, most] of BUCKETS_S.entries()) {
        if (seconds <= most) own.buckets[at] = (own.buckets[at] ?? 0) + 1
      }
      own.sum += seconds
      own.count += 1
      durations.set(route, own)
    },
    streamed: (change) => {
      streams += change
    },
    dropped: () => {
      dropped += 1
    },
    streams: () => streams,
    requests: () => requests,
    text(gauges) {
      const lines = [
        ...head('inbox_http_requests_total', 'counter', 'Requests answered.'),
        ...[...answers].map(([key, n]) => `inbox_http_requests_total${key} ${n}`),
        ...head('inbox_http_request_duration_seconds', 'histogram', 'Until the answer began.'),
        ...[...durations].flatMap(([route, own]) => histogram(route, own)),
        ...head('inbox_streams', 'gauge', 'Event streams that are open.'),
        `inbox_streams ${streams}`,
        ...head(
          'inbox_streams_dropped_total',
          'counter',
          'Streams closed because the client did not read them.',
        ),
        `inbox_streams_dropped_total ${dropped}`,
      ]
      for (const [name, group] of Map.groupBy(gauges, (gauge) => gauge.name)) {
        lines.push(...head(name, 'gauge', group[0]?.about ?? ''))
        lines.push(...group.map((one) => `${name}${labels(one.labels ?? {})} ${one.value}`))
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function head(name: string, type: string, about: string): string[] {
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`]
}

function histogram(route: string, { buckets, sum, count }: Durations): string[] {
  const name = 'inbox_http_request_duration_seconds'
  const line = (le: string, n: number) => `${name}_bucket${labels({ route, le })} ${n}`
  return [
    ...BUCKETS_S.map((most, at) => line(String(most), buckets[at] ?? 0)),
    line('+Inf', count),
    `${name}_sum${labels({ route })} ${sum}`,
    `${name}_count${labels({ route })} ${count}`,
  ]
}

function labels(pairs: Record<string, string>): string {
  const inner = Object.entries(pairs).map(([key, value]) => `${key}="${escapeLabel(value)}"`)
  return inner.length === 0 ? '' : `{${inner.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
