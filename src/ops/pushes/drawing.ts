import { ago, dim, drawTable, extra, id, inInk, type ListColumn } from '../kit/drawing/columns.ts'
import { facts, goOn, idIn, type Page } from '../kit/drawing/page.ts'
import { drawQuoted } from '../kit/drawing/quoted.ts'
import { count, indent, makeSafe, oneLine, relative } from '../kit/drawing/text.ts'
import { drawMail } from '../mail/drawing.ts'
import type { OpenAnswer } from './open.ts'
import type { DocumentNow } from './push-document.ts'
import type { ShownDocument } from './push-file.ts'
import type { HandlingAnswer } from './push-handling.ts'
import type { PushHistory } from './push-history.ts'
import type { PushReplyAnswer } from './push-reply.ts'
import type { Resume } from './push-resume.ts'
import type { PushShowAnswer } from './push-show.ts'
import type { EntryView } from './push-view.ts'
import type { WatchedDocuments } from './push-watch.ts'

export function drawHandled(
  { changed, unread, kept_replies = 0 }: HandlingAnswer,
  what: string,
): string {
  const kept =
    kept_replies === 0
      ? ''
      : `; ${count(kept_replies, 'unread reply stays', 'unread replies stay')} as mail`
  return `${count(changed.length, 'push', 'pushes')} ${what}, ${unread} unread${kept}\n`
}

export function drawWatched({ woke, documents }: WatchedDocuments, page: Page): string {
  return woke ? drawDocuments(documents, page) : 'nothing changed\n'
}

/** Groups entries by day, newest first. */
export function drawHistory({ entries, next_before, unread }: PushHistory, page: Page): string {
  const { ink } = page
  if (entries.length === 0) return 'no pushes\n'
  const days = [...Map.groupBy(entries, ({ created_at }) => created_at.slice(0, 10))]
  const sections = days.map(
    ([day, own]) => `${ink.bold(day)}\n${drawTable(own, ENTRY_COLUMNS, page)}`,
  )
  const end = [`${unread} unread`]
  if (next_before !== null) end.push(`continue with --before ${next_before}`)
  return `${sections.join('\n')}\n${ink.dim(`${end.join('; ')}\n`)}`
}

const ENTRY_COLUMNS: ListColumn<EntryView>[] = [
  inInk(({ unread }) => (unread ? 'new' : ''), 'yellow'),
  id('entry_id'),
  placeOf,
  ({ agent, imported_by }) => (imported_by === undefined ? agent : `${agent} (imported)`),
  dim(({ form }) => (form === 'notification' ? form : '')),
  inInk(({ docs }) => (docs.length === 0 ? '' : count(docs.length, 'doc')), 'cyan'),
  ({ replies }) => (replies === 0 ? '' : count(replies, 'reply', 'replies')),
  extra(dim(ago('created_at'))),
  ({ subject, unread }, { ink }) => (unread ? subject : { text: subject, ink: ink.dim }),
]

/** A workspace's default agent is usually named after the workspace. */
function placeOf({ workspace, workspace_label, agent }: EntryView): string {
  const label = oneLine(workspace_label)
  if (workspace === 'gone') return `${label} (gone)`
  return label === agent ? '' : label
}

export function drawPush(
  { entry, documents, replies, next_after }: PushShowAnswer,
  page: Page,
): string {
  const { ink, now } = page
  const label = oneLine(entry.workspace_label)
  const { backend, session } = entry.origin
  const head = facts(
    [
      ['workspace', entry.workspace === 'gone' ? `${label}, which is gone` : label],
      ['from', `${entry.agent}, ${relative(entry.created_at, now)}`],
      ['session', session === undefined ? backend : `${backend} ${session}`],
      ['imported', entry.imported_by === undefined ? '' : `by ${entry.imported_by}`],
      ['trashed', entry.trashed_at === null ? '' : relative(entry.trashed_at, now)],
    ],
    page,
  )
  const parts = [
    `${ink.bold(oneLine(entry.subject))}  ${ink.dim(idIn(entry.entry_id, page))}\n${head}`,
  ]
  if (documents.length > 0) parts.push(drawDocuments(documents, page))
  if (entry.comments !== '') parts.push(`${drawQuoted(entry.comments, page)}\n`)
  parts.push(...replies.map((message) => drawMail(message, page)))
  if (next_after !== null) parts.push(goOn(page, 'after', next_after))
  return parts.join('\n')
}

const STATES: Record<DocumentNow['state'], string> = {
  there: '',
  gone: 'its workspace is gone',
  missing: 'missing',
  outside: 'leads out of the workspace',
  special: 'not a file',
  too_large: 'too large',
  unreadable: 'cannot be read',
}

function drawDocuments(documents: DocumentNow[], page: Page): string {
  const columns: ListColumn<DocumentNow>[] = [
    inInk('path', 'cyan'),
    dim(({ language, kind }) => language ?? kind),
    dim(({ size }) => (size === null ? '' : `${size} bytes`)),
    inInk(
      ({ state, changed }) => (state === 'there' && changed ? 'changed since' : STATES[state]),
      ({ state }) => (state === 'there' ? 'yellow' : 'red'),
    ),
  ]
  return drawTable(documents, columns, page)
}

export function drawFile(shown: ShownDocument, page: Page): string {
  const head = drawDocuments([shown], page)
  if (shown.content === null) {
    const isThere = shown.state === 'there'
    return isThere ? `${head}${page.ink.dim('it can be downloaded at a server\n')}` : head
  }
  if (shown.encoding === 'base64') return `${head}${shown.content}\n`
  return `${head}${makeSafe(shown.content)}${shown.content.endsWith('\n') ? '' : '\n'}`
}

export function drawReplied(
  { message_id, to, reachable, why }: PushReplyAnswer,
  page: Page,
): string {
  const { ink } = page
  const where = to === null ? 'no recipient' : `queued for ${to}`
  const reach = reachable ? ink.dim(why) : ink.yellow(`not reachable: ${why}`)
  return `${idIn(message_id, page)}  ${where}\n${reach}\n`
}

export function drawResume({ shell, why }: Resume, { ink }: Page): string {
  return shell === null ? `${why}\n` : `${ink.dim(`${why}\n`)}${indent(makeSafe(shell), '  ')}\n`
}

export function drawOpened(session: OpenAnswer, page: Page): string {
  return session.opened ? 'started in your terminal\n' : drawResume(session, page)
}
