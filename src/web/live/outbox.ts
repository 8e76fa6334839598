// The person's actions that the server hasn't accepted yet. Each is stored in the browser before it's sent, under its
// own idempotency key, and sent again until the server responds. No action is lost to a broken connection, a stopped
// server or a reload, and none is done twice.

import type { OperationAnswer, OperationName } from '../../ops/catalogue.ts'
import { CallRefusal, call, makeKey, type PageInput } from '../api/call.ts'
import { type Me, me, queries } from '../api/queries.ts'
import { addressOf } from '../api/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import { dismissToast, showToast } from '../ui/toasts.tsx'

export type OutboxItem = {
  /** The call's idempotency key, so that the server performs it only once. */
  key: string
  op: OperationName
  input: object
  about: string
  /** Used in the notice if the server refuses the action. Example: Moving “Draft” to trash. */
  title: string
  words?: string
  at: number
  /** The person who took the action, because someone else may sign in before it's sent. */
  who: string
}

const PLACE = `outbox:${addressOf('/')}`
const underWay = new Set<string>()
let items: readonly OutboxItem[] = storedItems()
const waiting = createStore(items)

type OutboxWish<Name extends OperationName> = {
  op: Name
  input: PageInput<Name>
  about: string
  title: string
  words?: string
  key?: string
}

/** Resolves to the result, or to null if the action has to wait. Throws refusals, which aren't retried. */
export async function submit<Name extends OperationName>(
  wish: OutboxWish<Name>,
): Promise<OperationAnswer<Name> | null> {
  const { key = makeKey(), ...rest } = wish
  const item: OutboxItem = { ...rest, key, at: Date.now(), who: whoIsThere() }
  underWay.add(key)
  set([...storedItems().filter((one) => one.key !== key), item])
  try {
    return await attempt<Name>(item)
  } catch (error) {
    if (isAway(error)) return null
    throw error
  }
}

/** Sends waiting actions in order, and stops if the server can't be reached. Returns how many were sent. */
export async function sendWaiting(): Promise<number> {
  if (navigator.locks === undefined) return sendAll()
  return navigator.locks.request(PLACE, sendAll)
}

async function sendAll(): Promise<number> {
  let sent = 0
  for (const item of storedItems()) {
    if (underWay.has(item.key) || item.who !== whoIsThere()) continue
    try {
      await attempt(item)
      sent += 1
    } catch (error) {
      if (isAway(error)) break
      tellOfRefusal(item, error as Error)
    }
  }
  if (sent > 0) void queries.invalidateQueries()
  return sent
}

/** The text of a refused message stays on the page until the person copies or dismisses it. */
function tellOfRefusal({ key, title, words }: OutboxItem, { message }: Error): void {
  const text = `${title} was refused: ${message}`
  if (words === undefined) {
    showToast({ id: key, text, isFailure: true })
    return
  }
  const copy = () => {
    void navigator.clipboard?.writeText(words)
    dismissToast(key)
  }
  showToast({ id: key, text, more: words, isFailure: true, action: { title: 'Copy', run: copy } })
}

async function attempt<Name extends OperationName>(
  item: OutboxItem,
): Promise<OperationAnswer<Name>> {
  underWay.add(item.key)
  try {
    const answer = await call(item.op as Name, item.input as PageInput<Name>, { key: item.key })
    drop(item.key)
    return answer
  } catch (error) {
    if (!isAway(error)) drop(item.key)
    throw error
  } finally {
    underWay.delete(item.key)
    changed()
  }
}

/** True if the server is unreachable or stopping, or the session has ended. The action is sent later. */
function isAway(error: unknown): boolean {
  return error instanceof CallRefusal && [0, 401, 502, 503, 504].includes(error.status)
}

function whoIsThere(): string {
  return queries.getQueryData<Me>(me.queryKey)?.principal.name ?? ''
}

/** Another tab may have added actions or sent some. */
function storedItems(): readonly OutboxItem[] {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '[]')
  } catch {
    return []
  }
}

function drop(key: string): void {
  set(storedItems().filter((one) => one.key !== key))
}

function set(next: readonly OutboxItem[]): void {
  if (next.length === 0) localStorage.removeItem(PLACE)
  else localStorage.setItem(PLACE, JSON.stringify(next))
  items = next
  changed()
}

function changed(): void {
  // Leave out actions that are being sent, because they would only flash on the screen.
  waiting.set(items.filter(({ key }) => !underWay.has(key)))
}

addEventListener('storage', ({ key }: StorageEvent) => {
  if (key !== PLACE) return
  items = storedItems()
  changed()
})

export function useWaiting(): readonly OutboxItem[] {
  return useStore(waiting)
}
