import type { Context } from '../../ops/kit/operation.ts'

/** Where a call comes from, as its program was told to say; the operation doubts it. */
export function originIn(headers: Headers): NonNullable<Context['origin']> {
  const backend = headers.get('x-inbox-backend')
  const session = headers.get('x-inbox-session')
  return { ...(backend && { backend }), ...(session && { session }) }
}
