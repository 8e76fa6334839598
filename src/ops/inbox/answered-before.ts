import { type Call, idempotencyOf, type WithCursor } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'

/** The answer that this call got under its key before; null if it got none yet. */
export async function answeredBefore<T extends object>(
  context: Context,
  call: Call,
): Promise<WithCursor<T> | null> {
  const idempotency = await idempotencyOf(context, call)
  const written = idempotency && (await context.store.answered(idempotency))
  return written ? { ...(written.value as T), next_event_id: written.eventId } : null
}
