// Measures the time from one agent's call to `channel_send` until another agent's blocked `inbox_check` returns, for
// every way in. The runner is a separate process, and so is each server over stdio; both agents speak MCP from here.

import { join } from 'node:path'
import { startChild } from './child.ts'
import type { RunnerPlace, RunnerTask } from './mention-runner.ts'
import { percentile } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'
import { serve } from './serving.ts'

const WARM_UP = 20
const BAR = 3
const INSTANCE = 'bench'
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'inbox')
const WAYS = ['socket', 'port', 'inbox serve', 'stdio'] as const
type WayIn = (typeof WAYS)[number]

export async function benchMention({
  samples = 300,
}: {
  samples?: number | undefined
}): Promise<Report> {
  const late = new Map<string, number[]>()
  for (const disk of DISKS) {
    await inFolder(async (folder) => {
      const db = join(folder, 'store.db')
      const task: RunnerTask = { db, instance: INSTANCE }
      const file = join(import.meta.dirname, 'mention-runner.ts')
      const runner = startChild(file, task, diskEnv(disk))
      try {
        const place = await runner.hear<RunnerPlace>()
        const server = await serve(db, diskEnv(disk))
        try {
          for (const way of WAYS) {
            const open = (agent: string) => visit(way, agent, { db, place, url: server.url, disk })
            late.set(`${disk} ${way}`, await measure(open, samples))
          }
        } finally {
          await server.stop()
        }
      } finally {
        await runner.end()
      }
    })
  }
  const of = (disk: Disk, way: WayIn) => late.get(`${disk} ${way}`) as number[]
  const figures = WAYS.flatMap((way) =>
    ([0.5, 0.99] as const).map(
      (share): Figure => ({
        name: `${way}: p${share * 100}`,
        value: percentile(of('fast', way), share),
        slowDisk: percentile(of('slow', way), share),
        unit: 'ms',
        ...(share === 0.5 ? { bar: { at: '<=', value: BAR } as const } : {}),
        over: 'the moment before the call of channel_send',
      }),
    ),
  )
  return { figures, notes: [`${samples} samples each after ${WARM_UP} of warm-up, on SQLite`] }
}

type Around = { db: string; place: RunnerPlace; url: string; disk: Disk }

type ToolResult = { structuredContent: Record<string, unknown> }
type BenchVisit = {
  call: (name: string, args: object) => Promise<ToolResult>
  close: () => Promise<unknown>
}

/** Sends bare protocol messages, because a full client's own work would dominate the measurement. */
async function visit(way: WayIn, name: string, around: Around): Promise<BenchVisit> {
  const agent = `${name}@${INSTANCE}`
  if (way === 'stdio') return visitByStdio(agent, around)
  const { place, url } = around
  const unix = way === 'socket' ? { unix: place.socket } : {}
  const served = `${url}/mcp/instance/${INSTANCE}`
  const where = { socket: 'http://localhost/mcp', port: place.url, 'inbox serve': served }[way]
  const headers = {
    'x-agent-id': agent,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  return {
    async call(name, args) {
      const body = callOf(1, name, args)
      const response = await fetch(where, { method: 'POST', headers, body, ...unix })
      return ((await response.json()) as { result: ToolResult }).result
    },
    close: async () => {},
  }
}

function callOf(id: number, name: string, args: object): string {
  const params = { name, arguments: args }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

async function visitByStdio(agent: string, { db, disk }: Around): Promise<BenchVisit> {
  const words = ['mcp', '--sets', 'workflow', '--agent', agent, '--db', db]
  const child = Bun.spawn([PROGRAM, ...words], {
    env: { ...process.env, ...diskEnv(disk) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const open = new Map<number, (result: ToolResult) => void>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of child.stdout) {
      const lines = (text + decoder.decode(bytes, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const { id, result } = JSON.parse(line) as { id: number; result: ToolResult }
        open.get(id)?.(result)
      }
    }
  })()
  let last = 0
  const ask = (line: (id: number) => string) =>
    new Promise<ToolResult>((resolve) => {
      last += 1
      open.set(last, resolve)
      child.stdin.write(`${line(last)}\n`)
      child.stdin.flush()
    })
  const about = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }
  await ask((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: about }))
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return {
    call: (name, args) => ask((id) => callOf(id, name, args)),
    async close() {
      await child.stdin.end()
      await reading
      await child.exited
    },
  }
}

async function measure(
  open: (agent: string) => Promise<BenchVisit>,
  samples: number,
): Promise<number[]> {
  const [sender, reader] = [await open('reviewer'), await open('coder')]
  const late: number[] = []
  for (let n = 0; n < samples + WARM_UP; n++) {
    const blocked = reader.call('inbox_check', { timeout_seconds: 30 })
    // By then the blocked call has gone to sleep.
    await Bun.sleep(6 + Math.random() * 12)
    const at = performance.now()
    const got = blocked.then((answer) => ({ answer, ms: performance.now() - at }))
    const sent = await sender.call('channel_send', { message: `@coder ${n}` })
    const { answer, ms } = await got
    const { id } = sent.structuredContent as { id: string }
    const { messages } = answer.structuredContent as { messages: { entry: { id: string } }[] }
    if (messages.map(({ entry }) => entry.id).join() !== id) {
      throw new Error(`wanted ${id}, got ${JSON.stringify(messages)}`)
    }
    if (n >= WARM_UP) late.push(ms)
    await reader.call('inbox_ack', { until: id })
  }
  await Promise.all([sender.close(), reader.close()])
  return late
}
