import { admit, nothingAdmitted } from '../core/admit.ts'
import { USER } from '../core/agent.ts'
import { refuse } from '../core/error.ts'
import type { ThreadState } from '../core/evolve.ts'
import type { LogEntry } from '../core/keeper.ts'
import { choice, path } from './field.ts'
import { checkHeader, type LogLine, parseLine } from './log-line.ts'
import { PEOPLE, query } from './operation.ts'
import { mustBeUsable } from './rejects.ts'

const BATCH = 500

export type Imported = {
  events: number
  rejected: { line: number; why: string }[]
  set_aside_in: string | null
  next_event_id: number
  /** Of a mailbox or of entries: those that are new here, and those that were here before. */
  messages?: { added: number; known: number }
}

export const importLog = query({
  name: 'import',
  summary: 'Fill an empty store from exported JSON lines; or bring in a mailbox or entries file.',
  about:
    'Ids are kept, so exporting again gives the same file. A line that cannot be used is reported, kept aside in a file of its own, and does not stop the rest. A mailbox goes into any store: each line becomes a message in a thread of its own, read or unread as the line says; what is there already is left alone, so the same file twice adds nothing. So do entries: each line becomes a push.',
  fields: {
    as: choice(['log', 'mailbox', 'entries'], 'what the file is', { default: 'log' }),
    file: path('what to read; - is standard input', { positional: true, default: '-' }),
  },
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'invalid_state', 'forbidden'],
  async run(context, input): Promise<Imported> {
    const { principal } = context.caller
    // A file holds words in anybody's name, people's and the system's among them.
    if (principal?.kind === 'person' && principal.name !== USER) {
      throw refuse(
        'forbidden',
        `import speaks in others' names; it is for ${USER}, or for the shell`,
      )
    }
    if (input.as === 'mailbox') {
      const { importMailbox } = await import('./import-mailbox.ts')
      return importMailbox(context)
    }
    if (input.as === 'entries') {
      const { importEntries } = await import('./import-entries.ts')
      return importEntries(context)
    }
    const { store, files } = context
    if (files === undefined) throw refuse('invalid_input', 'import reads files; use the shell')
    const admin = await store.admin()
    if ((await store.lastEventId()) > 0 || (await store.floor()) > 0) {
      throw refuse(
        'invalid_state',
        `${store.place} already has a log, whose ids cannot be shared; import into a new store with --db`,
      )
    }
    const admitted = nothingAdmitted()
    const rejected: Imported['rejected'] = []
    // Kept until one line is good: of a file that is no log, nothing is written anywhere.
    let aside: string[] = []
    let batch: { before: ThreadState | null; entry: LogEntry }[] = []
    let header: ReturnType<typeof checkHeader> | undefined
    let events = 0
    let number = 0
    const flush = async () => {
      if (batch.length === 0) return
      await admin.load(batch)
      batch = []
    }
    const setAsideAll = () => {
      for (const line of aside) files.setAside(line)
      aside = []
    }
    for await (const line of files.lines()) {
      number += 1
      if (line.trim() === '') continue
      let parsed: LogLine
      try {
        parsed = parseLine(line)
        if ('entry' in parsed) {
          const before = admit(admitted, parsed.entry)
          batch.push({ before, entry: parsed.entry })
          events += 1
        } else if (header !== undefined || events > 0) {
          throw new Error('it is the header of another log')
        }
      } catch (error) {
        if (files.mostRejects === undefined) aside.push(line)
        rejected.push({ line: number, why: (error as Error).message })
        mustBeUsable(rejected, files)
        if (events > 0) setAsideAll()
        continue
      }
      if ('header' in parsed) header = checkHeader(parsed.header)
      if (batch.length >= BATCH) await flush()
    }
    if (events === 0 && (header === undefined || rejected.length > 0)) throw noLog(rejected)
    setAsideAll()
    await flush()
    const { floor = 0, store: name = null } = header ?? {}
    await admin.finishLoad({ floor, store: name })
    const set_aside_in = rejected.length === 0 ? null : files.aside
    return { events, rejected, set_aside_in, next_event_id: await store.lastEventId() }
  },
})

function noLog([first]: Imported['rejected']) {
  const why = first === undefined ? 'it is empty' : `line ${first.line}: ${first.why}`
  return refuse(
    'invalid_input',
    `nothing in it could be imported (${why}); name a file made with 'inbox export'`,
  )
}
