// Desktop notifications. They have only a title and an agent's name, because anyone near the screen can read them.

import { escapeUnseen } from '../../seen/unseen.ts'
import { gather, type PastTelling } from './news.ts'

export type DesktopNews = {
  id: string
  title: string
  body: string
  open: () => void
}

export type DesktopState = 'absent' | 'not asked' | 'denied' | 'granted'

/** Whether this browser can show desktop notifications. Pages over plain http from another machine can't. */
export function desktopState(): DesktopState {
  if (!isSecureContext || !('Notification' in globalThis)) return 'absent'
  return ({ default: 'not asked', denied: 'denied', granted: 'granted' } as const)[
    Notification.permission
  ]
}

/** Call this only from a button, because browsers permanently block a page that asks without one. */
export async function askForDesktop(): Promise<DesktopState> {
  if (desktopState() === 'absent') return 'absent'
  await Notification.requestPermission()
  return desktopState()
}

const TOGETHER = 'needs-you'
const shown = new Map<string, Notification>()
let told: readonly PastTelling[] = []

/** Shows `together` instead if there are too many to show one by one. */
export function showOnDesktop(
  news: readonly DesktopNews[],
  together: (count: number) => DesktopNews,
): void {
  if (desktopState() !== 'granted') return
  const gathered = gather(told, news, Date.now())
  told = gathered.told
  if (!gathered.isOne) {
    for (const one of news) show(one, one.id)
    return
  }
  for (const { id } of told) closeOnDesktop(id)
  show(together(told.length), TOGETHER)
}

function show({ title, body, open }: DesktopNews, tag: string): void {
  try {
    const one = new Notification(escapeUnseen(title), { body: escapeUnseen(body), tag })
    shown.set(tag, one)
    one.onclose = () => shown.get(tag) === one && shown.delete(tag)
    one.onclick = () => {
      focus()
      open()
      one.close()
    }
  } catch {
    // Some phones grant the permission but only show notifications from a service worker.
  }
}

/** Closes the notification for a row that was resolved elsewhere. */
export function closeOnDesktop(id: string): void {
  shown.get(id)?.close()
  shown.delete(id)
}

export function closeTogether(): void {
  closeOnDesktop(TOGETHER)
}
