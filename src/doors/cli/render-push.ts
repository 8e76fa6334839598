// Pushes, for people. What the agent wrote stands behind a bar, as mail does.

import { facts, goOn, type Page } from '../../ops/kit/drawing/page.ts'
import { words } from '../../ops/kit/drawing/quoted.ts'
import {
  type Cell,
  count,
  indent,
  oneLine,
  relative,
  safe,
  table,
} from '../../ops/kit/drawing/text.ts'
import type { OpenedSession } from '../../ops/pushes/open.ts'
import type { Pushed } from '../../ops/pushes/push.ts'
import type { DocumentNow } from '../../ops/pushes/push-document.ts'
import type { DocumentShown } from '../../ops/pushes/push-file.ts'
import type { Handled } from '../../ops/pushes/push-handling.ts'
import type { PushHistory } from '../../ops/pushes/push-history.ts'
import type { PushReplied } from '../../ops/pushes/push-reply.ts'
import type { Resume } from '../../ops/pushes/push-resume.ts'
import type { PushShown } from '../../ops/pushes/push-show.ts'
import type { EntryView } from '../../ops/pushes/push-view.ts'
import type { Renderers } from './render.ts'
import { framed } from './render-mail.ts'

export const RENDERERS: Renderers<'push' | 'notify' | 'open'> = {
  push: ({ entry_id }: Pushed) => `${entry_id}\n`,
  notify: ({ entry_id, deprecated }: Pushed & { deprecated: string }, { ink }) =>
    `${entry_id}\n${ink.dim(`${deprecated}\n`)}`,
  open: renderOpened,
  'push history': renderHistory,
  'push show': renderShown,
  'push read': handled('marked as read'),
  'push unread': handled('kept unread'),
  'push trash': handled('put away'),
  'push restore': handled('restored'),
  'push delete': handled('deleted for ever'),
  'push reply': renderReplied,
  'push file': renderFile,
  'push watch': (now: DocumentNow & { woke: boolean }, page) =>
    now.woke ? documentTable([now], page) : 'nothing changed\n',
  'push resume': renderResume,
}

function handled(what: string) {
  return ({ changed, unread, kept_replies = 0 }: Handled) => {
    const kept =
      kept_replies === 0
        ? ''
        : `; ${count(kept_replies, 'unread reply stays', 'unread replies stay')} as mail`
    return `${count(changed.length, 'push', 'pushes')} ${what}, ${unread} unread${kept}\n`
  }
}

/** Days as people say them, newest first. */
function renderHistory({ entries, next_before, unread }: PushHistory, page: Page): string {
  const { ink, terminal } = page
  if (entries.length === 0) return 'no pushes\n'
  const days = [...Map.groupBy(entries, ({ created_at }) => created_at.slice(0, 10))]
  const sections = days.map(([day, own]) => {
    const rows = own.map((entry) => entryCells(entry, page))
    return `${ink.bold(day)}\n${table(rows, terminal.columns)}`
  })
  const end = [`${unread} unread`]
  if (next_before !== null) end.push(`go on with --before ${next_before}`)
  return `${sections.join('\n')}\n${ink.dim(`${end.join('; ')}\n`)}`
}

function entryCells(entry: EntryView, { ink, now }: Page): Cell[] {
  const gone = entry.workspace === 'gone' ? ' (gone)' : ''
  const docs = entry.docs.length === 0 ? '' : count(entry.docs.length, 'doc')
  return [
    entry.unread ? { text: 'new', ink: ink.yellow } : { text: '' },
    { text: entry.entry_id },
    { text: `${oneLine(entry.workspace_label)}${gone}` },
    { text: entry.imported_by === undefined ? entry.agent : `${entry.agent} (imported)` },
    { text: entry.form === 'notification' ? 'notification' : '', ink: ink.dim },
    { text: docs, ink: ink.cyan },
    { text: entry.replies === 0 ? '' : count(entry.replies, 'reply', 'replies') },
    { text: relative(entry.created_at, now), ink: ink.dim },
    { text: oneLine(entry.subject), ...(entry.unread ? {} : { ink: ink.dim }) },
  ]
}

function renderShown({ entry, documents, replies, next_after }: PushShown, page: Page): string {
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
  const parts = [`${ink.bold(oneLine(entry.subject))}  ${ink.dim(entry.entry_id)}\n${head}`]
  if (documents.length > 0) parts.push(documentTable(documents, page))
  if (entry.comments !== '') parts.push(`${words(entry.comments, page)}\n`)
  parts.push(...replies.map((message) => framed(message, page)))
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

function documentTable(documents: DocumentNow[], { ink, terminal }: Page): string {
  const rows = documents.map((document): Cell[] => [
    { text: oneLine(document.path), ink: ink.cyan },
    { text: document.language ?? document.kind ?? '', ink: ink.dim },
    { text: document.size === null ? '' : `${document.size} bytes`, ink: ink.dim },
    document.state === 'there'
      ? { text: document.changed ? 'changed since' : '', ink: ink.yellow }
      : { text: STATES[document.state], ink: ink.red },
  ])
  return table(rows, terminal.columns)
}

function renderFile(shown: DocumentShown, page: Page): string {
  const head = documentTable([shown], page)
  if (shown.content === null) {
    const isThere = shown.state === 'there'
    return isThere ? `${head}${page.ink.dim('it can be downloaded at a server\n')}` : head
  }
  if (shown.encoding === 'base64') return `${head}${shown.content}\n`
  return `${head}${safe(shown.content)}${shown.content.endsWith('\n') ? '' : '\n'}`
}

function renderReplied({ message_id, to, reachable, why }: PushReplied, { ink }: Page): string {
  const where = to === null ? 'for nobody' : `queued for ${to}`
  const reach = reachable ? ink.dim(why) : ink.yellow(`not reachable: ${why}`)
  return `${message_id}  ${where}\n${reach}\n`
}

function renderResume({ shell, why }: Resume, { ink }: Page): string {
  return shell === null ? `${why}\n` : `${ink.dim(`${why}\n`)}${indent(safe(shell), '  ')}\n`
}

function renderOpened(session: OpenedSession, page: Page): string {
  return session.opened ? 'started in your terminal\n' : renderResume(session, page)
}
