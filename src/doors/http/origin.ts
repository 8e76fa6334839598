import type { Context } from '../../ops/kit/operation.ts'

/** The origin of a call, from the headers that its program was told to send. The operation checks them. */
export function originIn(headers: Headers): NonNullable<Context['origin']> {
  const backend = headers.get('x-inbox-backend')
  const session = headers.get('x-inbox-session')
  return { ...(backend && { backend }), ...(session && { session }) }
}
