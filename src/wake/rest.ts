/** Sleeps for this long, or until the signal aborts. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    if (signal.aborted) over()
    else signal.addEventListener('abort', over)
  })
}
