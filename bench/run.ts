// `npm run bench -- NAME [--option=N …]` runs one bench; without a name it lists them.

import { printReport, type Report } from './report.ts'

type Options = Record<string, number | undefined>
type Bench = { about: string; run: (options: Options) => Promise<Report> }

const BENCHES: Record<string, Bench> = {
  cli: {
    about: 'one shell command against the sqlite3 shell [--rounds]',
    run: async (options) => (await import('./cli.ts')).benchCli(options),
  },
  wake: {
    about:
      'from a commit in one process to wait-reply in another, and the cost of waiting [--samples --seconds]',
    run: async (options) => (await import('./wake.ts')).benchWake(options),
  },
  cycle: {
    about:
      'claim, update, done against a loop by hand; eight processes at once [--rounds --cycles --seconds]',
    run: async (options) => (await import('./cycle.ts')).benchCycle(options),
  },
  scale: {
    about: '1,000,000 threads against 10,000, and the plan of every query [--threads --samples]',
    run: async (options) => (await import('./scale.ts')).benchScale(options),
  },
  deliver: {
    about: 'from mail send in one process to a blocked mail read in another [--samples]',
    run: async (options) => (await import('./deliver.ts')).benchDeliver(options),
  },
  mention: {
    about: 'from channel_send of one agent to a blocked inbox_check of another [--samples]',
    run: async (options) => (await import('./mention.ts')).benchMention(options),
  },
  channel: {
    about: 'the end of a channel of 100,000 entries against one of 1,000 [--entries --samples]',
    run: async (options) => (await import('./channel.ts')).benchChannel(options),
  },
  run: {
    about: "a workflow beyond its agents' work, and a runner with nothing to do [--runs --seconds]",
    run: async (options) => (await import('./flow.ts')).benchFlow(options),
  },
  broadcast: {
    about:
      'one message to 1,000 agents; an inbox among 1,000,000 deliveries [--deliveries --samples]',
    run: async (options) => (await import('./broadcast.ts')).benchBroadcast(options),
  },
  broker: {
    about:
      'a broker with nothing to do, and a burst of mail to one sleeping agent [--seconds --mail]',
    run: async (options) => (await import('./broker.ts')).benchBroker(options),
  },
  postgres: {
    about: 'claim and done beside pg-boss and graphile-worker [--rounds --jobs --backlog]',
    run: async (options) => (await import('./postgres.ts')).benchPostgres(options),
  },
  http: {
    about:
      'a send over HTTP; a look beside 2,000 sends a second; the start [--rounds --messages --seconds]',
    run: async (options) => (await import('./http.ts')).benchHttp(options),
  },
  mcp: {
    about: 'a durable tool call against an empty one [--rounds --calls]',
    run: async (options) => (await import('./mcp.ts')).benchMcp(options),
  },
  waiters: {
    about: '1,000 blocked calls and 1,000 streams on one server [--waiters --events --rounds]',
    run: async (options) => (await import('./waiters.ts')).benchWaiters(options),
  },
  crowd: {
    about: '10,000 event streams asked of one server at once [--streams]',
    run: async (options) => (await import('./crowd.ts')).benchCrowd(options),
  },
  search: {
    about:
      'writes of one agent beside the looks of another at 1 GB of mail [--megabytes --letters --messages]',
    run: async (options) => (await import('./search.ts')).benchSearch(options),
  },
  requests: {
    about:
      'a queue of 100,000 requests against 1,000, and from a decision to request wait [--requests --samples]',
    run: async (options) => (await import('./requests.ts')).benchRequests(options),
  },
  web: {
    about:
      'the web app on 100,000 entries: time on the main thread, memory, and the desk beneath it [--entries --samples --rounds]',
    run: async (options) => (await import('./web.ts')).benchWeb(options),
  },
  tools: {
    about: 'tokens of each set of MCP tools',
    run: async () => (await import('./tools.ts')).benchTools(),
  },
  grouping: {
    about: 'many calls at once in one process against one at a time [--seconds --rounds]',
    run: async (options) => (await import('./grouping.ts')).benchGrouping(options),
  },
}

async function main([name, ...rest]: string[]): Promise<number> {
  const bench = name === undefined ? undefined : BENCHES[name]
  if (name === undefined || bench === undefined) {
    if (name !== undefined) console.error(`no bench ${name}`)
    for (const [known, { about }] of Object.entries(BENCHES))
      console.log(`${known.padEnd(10)} ${about}`)
    return name === undefined ? 0 : 1
  }
  const report = await bench.run(readOptions(rest))
  printReport(name, report)
  return (report.failures ?? []).length > 0 ? 1 : 0
}

function readOptions(words: string[]): Options {
  return Object.fromEntries(
    words.map((word) => {
      const [, key, value] = /^--([a-z]+)=(\d+)$/.exec(word) ?? []
      if (key === undefined) throw new Error(`cannot read ${word}; options are --name=NUMBER`)
      return [key, Number(value)]
    }),
  )
}

process.exitCode = await main(process.argv.slice(2))
