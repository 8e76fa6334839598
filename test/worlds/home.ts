// A home folder for tests: the library in this process and the programs it starts share it, and leave nothing in the
// home of the person who runs the tests.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program started by a test shares its parent's home. */
const GIVEN = process.env.MAILROOM_TEST_HOME

export const HOME = GIVEN ?? mkdtempSync(join(tmpdir(), 'mailroom-home-'))

process.env.HOME = HOME
process.env.MAILROOM_TEST_HOME = HOME
if (GIVEN === undefined) {
  const remove = () => rmSync(HOME, { recursive: true, force: true })
  // The test runner exits without an `exit` event.
  if (process.env.NODE_ENV === 'test') (await import('bun:test')).afterAll(remove)
  else process.on('exit', remove)
}
