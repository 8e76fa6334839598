// A home folder for the tests: the library in this process and the programs it starts belong to one user, and leave
// nothing in the home of the person who runs them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program of a test that comes here too has its parent's. */
const GIVEN = process.env.MAILROOM_TEST_HOME

export const HOME = GIVEN ?? mkdtempSync(join(tmpdir(), 'mailroom-home-'))

process.env.HOME = HOME
process.env.MAILROOM_TEST_HOME = HOME
if (GIVEN === undefined) {
  const remove = () => rmSync(HOME, { recursive: true, force: true })
  // The runner of tests ends without saying so.
  if (process.env.NODE_ENV === 'test') (await import('bun:test')).afterAll(remove)
  else process.on('exit', remove)
}
