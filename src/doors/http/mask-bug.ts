import { redact } from './redact.ts'
import type { Site } from './site.ts'

/** A bug is told to the log alone. The caller gets the place where it is told. */
export function maskBug({ log }: Site, where: { method: string; route: string }, error: unknown) {
  const id = crypto.randomUUID().slice(0, 8)
  const stack = redact((error as Error)?.stack ?? String(error))
  log({ level: 'error', what: 'bug', id, ...where, stack })
  const message = `something went wrong inside; the server's log has it under ${id}`
  return { code: 'internal' as const, message, details: { id } }
}
