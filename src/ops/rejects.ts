import { refuse } from '../core/error.ts'
import type { Imported } from './import.ts'
import type { Files } from './operation.ts'

/** Of a file that comes from afar, a few lines may be wrong; one that is wrong throughout is not read to its end. */
export function mustBeUsable(rejected: Imported['rejected'], { mostRejects }: Files): void {
  if (mostRejects === undefined || rejected.length < mostRejects) return
  const [first] = rejected
  throw refuse(
    'invalid_input',
    `${mostRejects} lines cannot be used (line ${first?.line}: ${first?.why}), so the rest was not read; mend the file, or import it in a shell`,
  )
}
