// The parts of a workflow file are read with these.

import type { Instant } from '../core/time.ts'
import type { Fill } from './fill.ts'
import type { RawWorkflow } from './keys.ts'

export type ReadAround = {
  /** The absolute path of the file. */
  path: string
  /** The folder in which setup and agents run. */
  cwd: string
  instance: string
  /** The text of a file beside this one, or why it cannot be had. */
  readText: (path: string) => { text: string } | { why: string; remedy: string }
  env: (name: string) => string | undefined
  params: Readonly<Record<string, string>>
  now: Instant
  /** The file is only looked at: params and variables need no value, and stand as their names. */
  checkOnly?: boolean
}

export type Reader = {
  raw: RawWorkflow
  fill: Fill
  around: ReadAround
  /** Reports a problem of the value at a path, or of the key before it. */
  say: (path: string, what: string, remedy: string) => void
}
