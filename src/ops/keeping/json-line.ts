// The common part of all line formats: each line is a JSON object, and not too deep.

import { DEEPEST_WHOLE, mustBeShallow } from '../../core/shallow.ts'
import { isObject } from './log-facts.ts'

export function objectIn(line: string): Record<string, unknown> {
  mustBeShallow(line, 'it', DEEPEST_WHOLE)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is not JSON')
  }
  if (!isObject(value)) throw new Error('it is not an object')
  return value
}
