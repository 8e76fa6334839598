// A store that is there already: for whoever must not make one.

import { existsSync } from 'node:fs'
import { Refusal } from '../core/error.ts'
import { type Mailroom, type MailroomOptions, openMailroom } from './compose.ts'
import { isFile } from './locate.ts'

/** The store that is there; null where there is none. */
export async function findMailroom(
  address: string,
  options: MailroomOptions = {},
): Promise<Mailroom | null> {
  if (isFile(address) && !existsSync(address)) return null
  try {
    return await openMailroom(address, { ...options, mustExist: true })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}
