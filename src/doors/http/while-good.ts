import type { Principal } from '../../core/principal.ts'
import type { ServedStore } from './site.ts'

/** Gives a signal that aborts when the caller's token is revoked or expires. `end` lets go of it. */
export async function whileGood(
  { tail }: ServedStore,
  principal: Principal,
): Promise<{ signal: AbortSignal; end: () => void }> {
  const controller = new AbortController()
  const end = await tail.whileGood(principal, () => controller.abort())
  return { signal: controller.signal, end }
}
