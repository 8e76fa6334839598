// The options that choose which of the broker's environment variables are passed to the programs it starts.

import { field, quote, refuse } from '../../core/error.ts'
import type { Surroundings } from '../../core/waking/launch.ts'
import { list } from '../kit/field.ts'

export const WAKE_ENV = {
  wake_env: list(
    'a variable that woken programs get, or several with commas; NAME* means all that begin with NAME. PATH, HOME and the like are always passed',
    { max: 100, leftOut: 'all' },
  ),
}

export function variablesIn(given: readonly string[] | undefined): Surroundings {
  if (given === undefined) return {}
  const variables = given.flatMap((one) => one.split(',')).map((one) => one.trim())
  const wrong = variables.find((one) => !/^[A-Za-z_][A-Za-z0-9_]*\*?$/.test(one))
  if (wrong === undefined) return { variables }
  throw refuse.invalid_input`${field('wake_env')} ${quote(wrong)} is not the name of a variable; write NAME, or NAME* for all that begin with NAME`
}
