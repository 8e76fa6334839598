import { refuse } from '../../core/error.ts'
import type { Keeper, MailboxItem } from '../../core/keeping/keeper.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { mustBeAboveFloor, mustBeInLog } from '../kit/cursor.ts'
import { byDefault, choice } from '../kit/field.ts'
import type { Files } from '../kit/files.ts'
import { type Context, PEOPLE, query } from '../kit/operation.ts'
import { mailboxJson } from './mailbox-line.ts'
import { type ExportTotals, writeLog } from './write-log.ts'

const PAGE = 500

export const mailExport = query({
  name: 'mail export',
  example: 'mail export --out mail.jsonl',
  summary: 'Write every message, oldest first, as a mailbox file.',
  about:
    "One record per message: id, type, from, to, subject, body, metadata, issueId, agentId, read, createdAt. `read` is true when no recipient still has to read the message. A message that bounced or expired counts as unread, and its `state` says so. 'inbox import --as mailbox' reads either format. For a copy of the whole store, with threads and receipts, use 'inbox export'.",
  fields: {
    format: byDefault(
      choice(['json', 'jsonl'], 'one JSON list, or one JSON object per line'),
      'jsonl',
    ),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  streams: true,
  refusals: ['invalid_input'],
  async run({ store, files, progress }, input) {
    if (files === undefined) throw refuse.invalid_input`export writes files; use the shell`
    const keeper = await store.keeper()
    const next_event_id = await store.lastEventId()
    const isList = input.format === 'json'
    let messages = 0
    await files.write(isList ? '[' : '')
    for await (const items of pages(keeper)) {
      const records = items.map(mailboxJson)
      const first = messages === 0 ? '\n' : ',\n'
      await files.write(isList ? first + records.join(',\n') : `${records.join('\n')}\n`)
      messages += items.length
      progress?.(`exported ${messages} messages`)
    }
    if (isList) await files.write(messages === 0 ? ']\n' : '\n]\n')
    return { messages, next_event_id }
  },
  takesLong: () => 'exporting',
  answer: { messages: aNumber('how many were written'), next_event_id: CURSOR },
  async lines({ messages }) {
    const { count } = await import('../kit/drawing/text.ts')
    return `${count(messages, 'message')}\n`
  },
  shellFlags: [
    { flag: '--out', value: 'PATH', about: 'write to a file, which must be new', repeats: false },
  ],
  outFile: () => 'new mailbox',
})

async function* pages(keeper: Keeper): AsyncGenerator<MailboxItem[]> {
  let after = { created_at: '', message_id: '' }
  for (;;) {
    const items = await keeper.mailboxByTime(after, PAGE)
    const last = items.at(-1)
    if (last === undefined) return
    yield items
    after = last
  }
}

/** Writes the mailbox in log order, and follows the log if asked to. Each message is written once, when it was sent. */
export async function writeMailbox(
  context: Context,
  files: Files,
  want: { after_event?: number | undefined; follow?: boolean | undefined },
): Promise<ExportTotals> {
  const { store } = context
  const after_event = want.after_event ?? files.goesOnAfter
  if (after_event !== undefined) await mustBeInLog(store, after_event)
  const keeper = await store.keeper()
  return writeLog(context, { ...want, after_event }, async (cursor) => {
    const items = await keeper.mailboxByEvent(cursor, PAGE)
    // Checked after reading, and only for a resumed file: a new file simply begins with whatever is left.
    if (after_event !== undefined) await mustBeAboveFloor(store, cursor)
    const last = items.at(-1)
    if (last === undefined) return null
    const write = async () => {
      await files.write(items.map((item) => `${mailboxJson(item)}\n`).join(''))
      return items.length
    }
    return { upto: last.event_id, write }
  })
}
