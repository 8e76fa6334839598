import { USER } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { admit, startAdmitting } from '../../core/keeping/admit.ts'
import { digestedIn } from '../../core/keeping/replay.ts'
import { RECORDS } from '../../core/records.ts'
import { aList, aNumber, aRecord, aRow, aText, CURSOR, maybe, orNull } from '../kit/answer.ts'
import { byDefault, choice, path } from '../kit/field.ts'
import type { Files } from '../kit/files.ts'
import { action, type Context, PEOPLE } from '../kit/operation.ts'
import type { Header } from './export.ts'
import { elementsOf, linesOf } from './file-lines.ts'
import { type ImportReport, importLines } from './import-lines.ts'
import { checkHeader, digestFault, lineReader } from './log-line.ts'

export const FILE_FORMS = ['log', 'mailbox', 'entries'] as const
export type FileForm = (typeof FILE_FORMS)[number]

const MADE_WITH = operation('export')
const NO_HEADER = { floor: 0, store: null }

export type ImportAnswer = ImportReport & {
  events: number
  next_event_id: number
  /** For a mailbox or entries: how many were new, and how many the store already had. */
  messages?: { added: number; known: number }
}

export const importLog = action({
  name: 'import',
  example: 'import log.jsonl --db other.db',
  summary: 'Fill an empty store from exported JSON lines, or import a mailbox or entries file.',
  about:
    'Without --as the form is recognized by the first lines, and the answer says which it was. Ids are kept, so exporting again gives the same file. A line that cannot be used is reported, kept in a separate file, and does not stop the rest. A mailbox can be imported into any store: each line becomes a message in its own thread, read or unread as the line says. Entries can be imported into any store too: each line becomes a push. A message or push the store already has is left alone, so importing the same file twice adds nothing.',
  fields: {
    as: choice(FILE_FORMS, 'the form of the file', { leftOut: 'recognized by its first lines' }),
    file: byDefault(path('the file to read; - is standard input', { positional: true }), '-'),
  },
  writes: 'store',
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'invalid_state', 'forbidden'],
  async run(context, input): Promise<ImportAnswer & { as: FileForm }> {
    const { principal } = context.caller
    // A file can contain messages in anyone's name, even a person's or the system's.
    if (principal?.kind === 'person' && principal.name !== USER)
      throw refuse.forbidden`an import can contain messages in anyone's name, so only ${USER} may import at a server; or use the shell`
    if (context.files === undefined) throw refuse.invalid_input`import reads files; use the shell`
    const { form: as, files } =
      input.as === undefined
        ? await recognise(context.files)
        : { form: input.as, files: context.files }
    return { as, ...(await bringIn(context, as, files)) }
  },
  answer: {
    as: aText<FileForm>('the form of the file: log, mailbox or entries'),
    events: aNumber('how many are new'),
    rejected: aList(
      aRow<ImportAnswer['rejected'][number]>('rejected', 'a line that could not be used', {
        line: aNumber('which'),
        why: aText('why'),
      }),
      'the first thousand lines that could not be used',
    ),
    rejected_lines: aNumber('how many there were'),
    set_aside_in: orNull(aText('the file they were appended to')),
    next_event_id: CURSOR,
    messages: maybe(
      aRecord('brought in', 'for a mailbox or entries', {
        added: aNumber('new here'),
        known: aNumber('here before'),
      }),
    ),
  },
  lines: async (answer) => (await import('./drawing.ts')).drawImport(answer),
  shellFlags: [
    {
      flag: '--rejects',
      value: 'PATH',
      about: 'where unusable lines are kept (default: FILE.rejected)',
      repeats: false,
    },
  ],
  readsFile: true,
  takesLong: () => 'importing',
})

async function bringIn(context: Context, form: FileForm, files: Files): Promise<ImportAnswer> {
  if (form === 'mailbox') {
    const { importMailbox } = await import('./import-mailbox.ts')
    return importMailbox(context, files)
  }
  if (form === 'entries') {
    const { importEntries } = await import('./import-entries.ts')
    return importEntries(context, files)
  }
  return importWhole({ ...context, by: context.caller.agent ?? USER }, files)
}

/** `by` is the importer. Null leaves the messages unmarked, as if they had been written here. */
export async function importWhole(
  {
    store,
    digest,
    progress,
    by,
  }: Pick<Context, 'store' | 'digest' | 'progress'> & { by: string | null },
  files: Files,
  known = RECORDS,
): Promise<ImportAnswer> {
  const mustBeOurs = (isOurs: boolean): void => {
    if (isOurs) return
    throw refuse.invalid_state`${store.place} already has a log, and ids cannot be shared; import into a new store with ${field('db')}`
  }
  mustBeOurs((await store.lastEventId()) === 0 && (await store.floor()) === 0)
  // Reading the file can be slow, and others may write before the first batch, so each batch checks this again.
  let endsAt = 0
  const readLine = lineReader(known)
  const admitted = startAdmitting(known)
  let header: Partial<Header> | undefined
  let isBegun = false
  const { added, told } = await importLines(
    files,
    {
      lines: linesOf(files.read()),
      parse(text) {
        const line = readLine(text)
        if ('header' in line) {
          if (header !== undefined || isBegun) throw new Error('it is the header of another log')
          header = line.header
          return []
        }
        const { entry } = line
        const take = () => {
          const before = admit(admitted, entry)
          isBegun = true
          return [{ before, entry }]
        }
        const named = digestedIn(admitted, entry)
        if (named === null) return take()
        return digestFault(digest, named).then((fault) => {
          if (fault !== null) throw new Error(fault)
          return take()
        })
      },
      async bring(lines) {
        // Check the header before importing anything, because lines in a different format can look the same.
        if (header !== undefined) checkHeader(header)
        const entries = lines.flatMap(({ value }) => value)
        const last = entries.at(-1)
        if (last !== undefined) {
          const now = await store.now()
          mustBeOurs(await (await store.keeper()).load(entries, { by, endsAt, now }))
          endsAt = last.entry.event.event_id
        }
        return { added: entries.length, known: 0, conflicts: [] }
      },
      madeWith: MADE_WITH,
    },
    progress,
  ).catch((error) => {
    // If the format is unknown, that explains why no line could be used.
    if (header !== undefined) checkHeader(header)
    throw error
  })
  if (added === 0 && header === undefined)
    throw refuse.invalid_input`the file is empty; name a file made with ${MADE_WITH}`
  const { floor, store: name } = header === undefined ? NO_HEADER : checkHeader(header)
  mustBeOurs(await (await store.keeper()).finishLoad({ floor, store: name, endsAt }))
  return { events: added, ...told, next_event_id: await store.lastEventId() }
}

/** Longer than any line of a mailbox or entries file: a full body with most characters escaped. */
const MOST_BYTES = 4 * 1024 * 1024

/** Recognizes the form of a file by its first lines. The returned files can be read from the beginning. */
export async function recognise(files: Files): Promise<{ form: FileForm; files: Files }> {
  const chunks = files.read()[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let bytes = 0
  let form: FileForm | undefined
  while (form === undefined && bytes < MOST_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    begun.push(value)
    bytes += value.length
    form = await formOf(begun)
  }
  const read = async function* () {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { form: form ?? 'log', files: { ...files, read } }
}

async function formOf(begun: Uint8Array[]): Promise<FileForm | undefined> {
  const elements = elementsOf(
    (async function* () {
      yield* begun
    })(),
  )
  try {
    for await (const { bytes } of elements) {
      const form = formOfLine(new TextDecoder().decode(bytes))
      if (form !== undefined) return form
    }
  } catch {
    // The import will report what's wrong with the file.
  }
  return undefined
}

/** The line may be cut off or contain arbitrary data. */
function formOfLine(line: string): FileForm | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if ('mailroom' in value || 'event' in value) return 'log'
  if ('id' in value && 'ts' in value) return 'entries'
  return 'id' in value && 'createdAt' in value ? 'mailbox' : undefined
}
