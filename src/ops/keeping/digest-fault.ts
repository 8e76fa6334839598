import type { NamedDigest } from '../../core/record.ts'
import type { Context } from '../kit/operation.ts'

/** Says that a digest is not of what it must be of; null when it is. */
export async function digestFault(
  digest: Context['digest'],
  { sha256, of }: NamedDigest,
): Promise<string | null> {
  const wanted = 'text' in of ? await digest(of.text) : of.sha256
  return wanted === sha256 ? null : `its digest is ${sha256}, and that of its payload is ${wanted}`
}
