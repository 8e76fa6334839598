import { refuse } from '../core/error.ts'
import { evolve, type ThreadState } from '../core/evolve.ts'
import { toEvent } from '../core/replay.ts'
import type { LogEntry } from '../core/store.ts'
import { FORMAT } from './export.ts'
import { path, refuseUnstorable } from './field.ts'
import { OPERATORS, query } from './operation.ts'

const BATCH = 500

export type Imported = {
  events: number
  rejected: { line: number; why: string }[]
  set_aside_in: string | null
  next_event_id: number
}

export const importLog = query({
  name: 'import',
  summary: 'Fill an empty store from exported JSON lines.',
  about:
    'Ids are kept, so exporting again gives the same file. A line that cannot be used is reported, kept aside in a file of its own, and does not stop the rest.',
  fields: {
    file: path('what to read; - is standard input', { positional: true, default: '-' }),
  },
  callers: OPERATORS,
  refusals: ['invalid_input', 'invalid_state'],
  async run({ store, files }): Promise<Imported> {
    if (files === undefined) throw refuse('invalid_input', 'import reads files; use the shell')
    const admin = await store.admin()
    if ((await store.lastEventId()) > 0 || (await store.floor()) > 0) {
      throw refuse(
        'invalid_state',
        `${store.place} already has a log, whose ids cannot be shared; import into a new store with --db`,
      )
    }
    const threads = new Map<string, ThreadState>()
    const rejected: Imported['rejected'] = []
    let batch: { before: ThreadState | null; entry: LogEntry }[] = []
    let events = 0
    let last = 0
    let floor = 0
    let number = 0
    const flush = async () => {
      await admin.load(batch)
      events += batch.length
      batch = []
    }
    for await (const line of files.lines()) {
      number += 1
      if (line.trim() === '') continue
      try {
        const parsed = parseLine(line)
        if ('floor' in parsed) {
          floor = parsed.floor
          continue
        }
        if (parsed.event.event_id <= last)
          throw new Error('its event id is not after the one before')
        const before = threads.get(parsed.event.thread_id) ?? null
        threads.set(parsed.event.thread_id, evolve(before, toEvent(parsed.event, parsed.message)))
        last = parsed.event.event_id
        batch.push({ before, entry: parsed })
      } catch (error) {
        files.setAside(line)
        rejected.push({ line: number, why: (error as Error).message })
      }
      if (batch.length >= BATCH) await flush()
    }
    await flush()
    await admin.finishLoad({ floor, store: null })
    const set_aside_in = rejected.length === 0 ? null : files.aside
    return { events, rejected, set_aside_in, next_event_id: last }
  },
})

function parseLine(line: string): LogEntry | { floor: number } {
  refuseUnstorable(line, 'the line')
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is not JSON')
  }
  if (typeof value !== 'object' || value === null) throw new Error('it is not an object')
  if ('mailroom' in value) return parseHeader(value as { mailroom: unknown; floor?: unknown })
  const { event, message = null } = value as { event?: unknown; message?: unknown }
  checkShape(event, EVENT_SHAPE, 'event')
  if (message !== null) {
    checkShape(message, MESSAGE_SHAPE, 'message')
    const { artifacts } = message as { artifacts: unknown }
    if (!Array.isArray(artifacts)) throw new Error('message.artifacts is not a list')
    for (const artifact of artifacts) checkShape(artifact, ARTIFACT_SHAPE, 'artifact')
  }
  const entry = { event, message } as LogEntry
  if (entry.event.message_id !== (entry.message?.message_id ?? null)) {
    throw new Error('the event names a message the line does not hold')
  }
  return entry
}

function parseHeader({ mailroom, floor }: { mailroom: unknown; floor?: unknown }) {
  if (mailroom !== FORMAT) {
    throw refuse(
      'invalid_input',
      `the file has format ${String(mailroom)}; this program reads ${FORMAT}`,
    )
  }
  return { floor: Number.isSafeInteger(floor) ? (floor as number) : 0 }
}

const EVENT_SHAPE = {
  event_id: 'number',
  run_id: 'string',
  task_id: 'string',
  thread_id: 'string',
  source: 'string',
  event_type: 'string',
  agent: 'string',
  status: 'string',
  summary: 'string',
  payload_json: 'string',
  created_at: 'string',
}
const MESSAGE_SHAPE = {
  message_id: 'string',
  thread_id: 'string',
  seq: 'number',
  from_agent: 'string',
  to_agent: 'string',
  kind: 'string',
  summary: 'string',
  body: 'string',
  payload_json: 'string',
  created_at: 'string',
}
const ARTIFACT_SHAPE = {
  artifact_id: 'string',
  message_id: 'string',
  path: 'string',
  kind: 'string',
  metadata_json: 'string',
  created_at: 'string',
}

function checkShape(value: unknown, shape: Record<string, string>, what: string): void {
  if (typeof value !== 'object' || value === null) throw new Error(`it has no ${what}`)
  for (const [key, type] of Object.entries(shape)) {
    const have = (value as Record<string, unknown>)[key]
    if (typeof have !== type || (type === 'number' && !Number.isSafeInteger(have))) {
      throw new Error(`${what}.${key} is not a ${type}`)
    }
  }
}
