// A refusal as a test sees it, from any door.

import { expect } from 'bun:test'
import type { Code } from '../../src/index.ts'

/** Spelled out here instead of imported from src: scripts rely on these numbers. */
const EXITS: Record<Code, number> = {
  invalid_input: 30,
  invalid_state: 30,
  cursor_expired: 30,
  lease_conflict: 20,
  revision_conflict: 20,
  not_found: 40,
  forbidden: 40,
  unauthenticated: 40,
  busy: 50,
  store_unusable: 50,
  internal: 50,
}

export class Refused extends Error {
  readonly code: Code
  readonly exit: number
  readonly details: Record<string, unknown>

  constructor(code: Code, exit: number, message: string, details: Record<string, unknown>) {
    super(message)
    this.name = 'Refused'
    this.code = code
    this.exit = exit
    this.details = details
  }
}

/** Expects the call to be refused with this code and its exit number. Returns the refusal. */
export async function refused(call: Promise<unknown>, code: Code): Promise<Refused> {
  const answer = await call.then(
    (value) => value,
    (error: unknown) => error,
  )
  if (!(answer instanceof Refused)) {
    throw answer instanceof Error
      ? answer
      : new Error(`expected ${code}, was answered ${JSON.stringify(answer)}`)
  }
  expect({ code: answer.code, exit: answer.exit, says: answer.message }).toEqual({
    code,
    exit: EXITS[code],
    says: answer.message,
  })
  expect(answer.message).toMatch(/^[^\n]+$/)
  return answer
}
