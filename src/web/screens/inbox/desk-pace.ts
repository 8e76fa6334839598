// How often the list is asked for: a burst of events asks once, and never more than a third of the time.

const SPACING_MS = 250
export const RETRY_MS = 2000

/** `ask` says whether it is to be asked again after a while, because the server was away. */
export function makePace(ask: () => Promise<'answered' | 'away' | 'refused'>, signal: AbortSignal) {
  let isAsking = false
  let isAskedAgain = false
  let next = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))

  function changed(): void {
    if (isAsking) isAskedAgain = true
    else timer ??= setTimeout(run, Math.max(0, next - Date.now()))
  }

  async function run(): Promise<void> {
    timer = undefined
    isAsking = true
    const asked = Date.now()
    const ended = await ask()
    isAsking = false
    if (signal.aborted) return
    const spent = Date.now() - asked
    next = Date.now() + (ended === 'answered' ? Math.max(SPACING_MS, 2 * spent) : RETRY_MS)
    if (!isAskedAgain && ended !== 'away') return
    isAskedAgain = false
    changed()
  }
  return changed
}
