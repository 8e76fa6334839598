// Every query that operations use must find its rows through an index, on both engines. The list is made from the
// queries themselves, so it is complete, and every exception has a reason. A query with optional parts is checked with
// none of them, with each alone and with all.

import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { RECORDS } from '../src/core/records.ts'
import { compiler, type Dialect, type Params, type Query } from '../src/store/compile.ts'
import { parseAddress } from '../src/store/postgres/open.ts'
import { QUERIES as POSTGRES } from '../src/store/postgres/queries.gen.ts'
import { pageQuery, rowQuery } from '../src/store/record-reads.ts'
import { QUERIES as SQLITE } from '../src/store/sqlite/queries.gen.ts'
import { LIKE, likeQuery } from '../src/store/threads/thread-reads.ts'
import { HELD } from '../src/store/threads/thread-row.ts'

/** Queries that are built at run time. The ones that write are left out, because they find their row by its key. */
const READS = Object.fromEntries(
  [
    ...RECORDS.all.flatMap((record) => [rowQuery(record), pageQuery(record)]),
    ...LIKE.map(likeQuery),
    HELD,
  ].map(({ name, text }) => [name, text]),
)

const BIG = new Set([
  'threads',
  'messages',
  'leases',
  'artifacts',
  'thread_reads',
  'events',
  'idempotency_keys',
  'deliveries',
  'agents',
  'wakes',
  'pushes',
  'requests',
  'desk_rows',
  'snoozes',
  'document_revisions',
])

const COUNTS = 'counts everything: only the metrics of a server ask'
const FEW = 'reads a bounded number of rows, whichever they are'
const OF_EACH = 'sorts at most a limit of threads of each status'
const LAPSED = 'sorts at most 500 lapsed leases of one agent'
const WOKEN = 'looks at the agents that can be woken, and has an index of them'
const KEEPER = 'export and doctor read everything anyway'
const ARTIFACTS = 'sorts the artifacts of one message'

type Exception = {
  scans?: string
  sorts?: string
  /** PostgreSQL may consider a scan cheaper, depending on its statistics. */
  mayScan?: string
}

/** Queries whose plans can show a scan or a sort, and why. An exception that is no longer needed fails. */
const EXCEPTIONS: Record<string, Exception> = {
  threads_count: { scans: COUNTS },
  messages_count: { scans: COUNTS },
  events_count: { scans: COUNTS },
  messages_counted: { mayScan: FEW },
  events_counted: { mayScan: FEW },
  thread_lock_lapsed_of: { sorts: LAPSED },
  threads_fetch_lapsed: { sorts: LAPSED },
  threads_list: { sorts: OF_EACH },
  threads_list_oldest: { sorts: OF_EACH },
  inbox_stop: { sorts: 'sorts at most one word of each state' },
  artifacts_of_message: { sorts: ARTIFACTS },
  artifacts_asking: { sorts: ARTIFACTS },
  agents_mailed: { scans: WOKEN, mayScan: WOKEN },
  deliveries_of_thread: { sorts: 'sorts the deliveries of one thread' },
  wakes_open: { sorts: 'sorts at most one wake of each agent' },
  workspaces_all: { sorts: 'sorts the workspaces, which are few' },
  tokens_list: { sorts: 'sorts the tokens of one workspace' },
  question_open: { sorts: 'sorts the open questions of one thread' },
  erase_keys: { scans: 'looks for what was said in it among the answers kept for a retry' },
  pushes_unread: { mayScan: 'compares what one person has not read with all pushes' },

  requests_soonest_found: { sorts: 'sorts what one page or one piece of a search looks at' },

  desk_back: { sorts: 'sorts the few threads that are back from a snooze' },
  desk_fill: { scans: KEEPER },
  desk_shown: { mayScan: 'looks for the pushes and requests of some threads, by their keys' },
  desk_empty: { mayScan: KEEPER },
  inbox_count: { mayScan: 'looks at what was put away, and has an index of that' },
  pushes_trashed: { mayScan: 'counts what was put away, and has an index of that' },
  pushes_prunable: { sorts: 'sorts what was put away or deleted: only `prune` asks' },
  wakes_prunable: { sorts: 'sorts the wakes that one call of `prune` removes' },
  mail_waiting: { scans: KEEPER },
  mail_totals: { scans: 'counts all mail: only `prune` asks' },
  log_artifacts: { sorts: 'sorts one page', mayScan: KEEPER },
}

export type PlansReport = { plans: string[]; faults: string[] }
type Sight = { text: string; scans: boolean; sorts: boolean }

export function sqlitePlans(path: string): PlansReport {
  const db = new DatabaseSync(path)
  const seen = new Map<string, Sight[]>()
  for (const { name, sql } of variants('sqlite', { ...SQLITE, ...READS })) {
    const rows = db.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
    const lines = rows.map((row) => row.detail)
    const sight = {
      text: lines.join('; '),
      scans: lines.some((line) => scansBigTable(line, sql)),
      // A sort by only the last term is fine: it breaks ties in an order that an index provides.
      sorts: lines.some((line) => line === 'USE TEMP B-TREE FOR ORDER BY'),
    }
    seen.set(name, [...(seen.get(name) ?? []), sight])
  }
  db.close()
  return judge(seen, { strict: true })
}

function scansBigTable(line: string, sql: string): boolean {
  const [, alias] = /^SCAN (\w+)/.exec(line) ?? []
  if (alias === undefined) return false
  const [, table] = new RegExp(`(?:from|join) (\\w+) ${alias}\\b`).exec(sql) ?? []
  // Walking the primary key up to a limit reads only as many rows as it returns.
  return BIG.has(table ?? alias) && !/\blimit\b/.test(sql)
}

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

export async function postgresPlans(url: string): Promise<PlansReport> {
  const client = new Client(parseAddress(url).config)
  await client.connect()
  const seen = new Map<string, Sight[]>()
  for (const { name, sql } of variants('postgres', { ...POSTGRES, ...READS })) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`)
    const nodes = flatten((rows[0]['QUERY PLAN'] as { Plan: PlanNode }[])[0]?.Plan)
    const isLimited = nodes.some((node) => node['Node Type'] === 'Limit')
    const sight = {
      text: nodes
        .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim())
        .join('; '),
      scans: nodes.some(
        (node) =>
          BIG.has(node['Relation Name'] ?? '') &&
          node['Node Type'] !== 'ModifyTable' &&
          (node['Node Type'] === 'Seq Scan' ||
            (node['Index Cond'] === undefined &&
              node['Node Type'].startsWith('Index') &&
              !isLimited)),
      ),
      sorts: false,
    }
    seen.set(name, [...(seen.get(name) ?? []), sight])
  }
  await client.end()
  return judge(seen, { strict: false })
}

function flatten(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(flatten)]
}

function judge(seen: Map<string, Sight[]>, { strict }: { strict: boolean }): PlansReport {
  const plans: string[] = []
  const faults: string[] = []
  for (const [name, sights] of seen) {
    const allowed = EXCEPTIONS[name] ?? {}
    for (const kind of ['scans', 'sorts'] as const) {
      const bad = sights.filter((sight) => sight[kind])
      const isAllowed = allowed[kind] ?? (kind === 'scans' && !strict ? allowed.mayScan : undefined)
      for (const { text } of bad) {
        if (isAllowed === undefined) faults.push(`${name} ${kind}: ${text}`)
      }
      if (strict && bad.length === 0 && allowed[kind] !== undefined) {
        faults.push(`${name} no longer ${kind}: remove the exception`)
      }
    }
    const reason = allowed.scans ?? allowed.sorts
    for (const { text } of sights) plans.push(`${name}: ${text}${reason ? ` (${reason})` : ''}`)
  }
  for (const name of Object.keys(EXCEPTIONS)) {
    if (!seen.has(name)) faults.push(`there is no query ${name}: remove the exception`)
  }
  if (seen.size === 0) faults.push('no queries were looked at')
  return { plans, faults }
}

function variants(dialect: Dialect, queries: Record<string, Query>) {
  const compile = compiler(dialect, queries)
  return Object.entries(queries).flatMap(([name, query]) => {
    const text = typeof query === 'string' ? query : ''
    const lists = [...text.matchAll(/(?:-- each )?:(\w+)(?:\.\.\.| \()/g)].map(
      (match) => match[1] as string,
    )
    const optional = [...new Set([...text.matchAll(/-- if :(\w+)/g)].map((m) => m[1] as string))]
    const choices = [
      [],
      ...optional.map((one) => [one]),
      ...(optional.length > 1 ? [optional] : []),
    ]
    return choices.map((given) => {
      const absent = optional.filter((one) => !given.includes(one))
      return { name, sql: compile(name, anyParams(lists, absent), () => '').sql }
    })
  })
}

/** A value for every parameter; plans don't depend on values. */
function anyParams(lists: string[], absent: string[]): Params {
  return new Proxy({} as Params, {
    get: (_, name: string) =>
      absent.includes(name) ? undefined : lists.includes(name) ? ['a', 'b'] : 'a',
  })
}
