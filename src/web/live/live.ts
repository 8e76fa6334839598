// The connection as the person sees it: brief losses aren't shown, longer ones are, and after a long one the page is
// offline. When the server is back, waiting actions are sent and the page checks for a newer app version.

import { get } from '../api/call.ts'
import { askAnew, type Me, me, queries } from '../api/queries.ts'
import { listen, type StreamState } from '../api/stream.ts'
import { createStore, useStore } from '../ui/store.ts'
import { showToast } from '../ui/toasts.tsx'
import { sendWaiting } from './outbox.ts'
import { refetchAfter } from './refetch.ts'

type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'signed out'

/** How many unread messages arrived, and how many actions were sent, once the connection was back. */
type Return = { fresh: number; sent: number }

type Live = {
  state: LiveState
  /** When this state began or, for a lost connection, when the server was last heard from. */
  since: number
  /** Set for a moment after a long loss, otherwise null. */
  back: Return | null
}

const RECONNECTING_MS = 2000
const OFFLINE_MS = 10_000
const BACK_MS = 3000

const live = createStore<Live>({ state: 'connecting', since: Date.now(), back: null })
let lostAt: number | null = null
let unreadBefore = 0
let timers: ReturnType<typeof setTimeout>[] = []

export function beginLive(): () => void {
  return listen({
    onEvents: (events) => refetchAfter(queries, events),
    onReset: () => void queries.invalidateQueries(),
    onState: followState,
  })
}

function followState(next: StreamState): void {
  if (next === 'lost') {
    lose()
    return
  }
  for (const timer of timers) clearTimeout(timer)
  timers = []
  const { state } = live.get()
  const wasLost = lostAt !== null
  lostAt = null
  if (next !== state) live.set({ state: next, since: Date.now(), back: null })
  // Even after a short loss, actions may be waiting to be sent, and the server may have been replaced.
  if (next === 'live' && (wasLost || next !== state)) void comeBack(state, wasLost)
}

function lose(): void {
  // Other tabs report every failed attempt; only the first one matters.
  if (lostAt !== null) return
  const since = Date.now()
  lostAt = since
  unreadBefore = unreadNow()
  const say = (state: LiveState) => live.set({ state, since, back: null })
  timers = [
    setTimeout(() => say('reconnecting'), RECONNECTING_MS),
    setTimeout(() => say('offline'), OFFLINE_MS),
  ]
}

/** Handles the return of the connection: the page may be out of date, and actions may be waiting to be sent. */
async function comeBack(before: LiveState, wasLost: boolean): Promise<void> {
  // Waiting actions are sent only if the person who took them is signed in.
  const isKnown = await queries.ensureQueryData(me).catch(() => null)
  const sent = isKnown === null ? 0 : await sendWaiting()
  // The stream resumes where it broke off, so after a short loss only failed queries are refetched.
  const isOld = before !== 'live' && before !== 'connecting'
  // A query from before the loss may never be answered.
  if (isOld) askAnew()
  await queries.invalidateQueries({
    predicate: ({ state }) => isOld || state.status === 'error',
  })
  if (before === 'offline') {
    const back = { fresh: Math.max(0, unreadNow() - unreadBefore), sent }
    live.set({ ...live.get(), back })
    timers.push(setTimeout(() => live.set({ ...live.get(), back: null }), BACK_MS))
  }
  // A page that has just loaded doesn't have to ask for the current version again.
  const isFirst = before === 'connecting' && !wasLost
  const known = isFirst ? isKnown : await get<Me>('/api/me').catch(() => null)
  if (known !== null) tellOfNewVersion(known)
}

function unreadNow(): number {
  return queries.getQueryData<{ unread: number }>(['desk', {}])?.unread ?? 0
}

export function useLive(): Live {
  return useStore(live)
}

/** Offers to reload after a server update. Never reloads unasked, so it doesn't interrupt the person. */
function tellOfNewVersion({ app = [] }: Pick<Me, 'app'>): void {
  const own = filesOfThisPage()
  // Ignore the tab's icon, which changes with what needs the person.
  const wanted = app.filter((name) => !name.endsWith('.svg'))
  if (wanted.every((name) => own.has(name))) return
  showToast({
    id: 'new version',
    text: 'A new version is ready',
    more: 'Your drafts are kept.',
    action: { title: 'Reload', run: () => location.reload() },
  })
}

function filesOfThisPage(): Set<string> {
  const parts = document.head.querySelectorAll<HTMLScriptElement & HTMLLinkElement>('script, link')
  return new Set([...parts].map(({ src, href }) => (src || href).split('/app/')[1] ?? ''))
}
