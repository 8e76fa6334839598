// Warrants as doors show them, and the key of the store that signs them.

import type { Request } from '../../core/requests/request-record.ts'
import {
  isDecidedHere,
  signedText,
  WARRANT_SEED,
  type Warrant,
  warrantOf,
} from '../../core/requests/warrant.ts'
import type { Tx } from '../../core/store.ts'
import type { Message } from '../../core/threads/message.ts'
import { aNumber, aRow, aText } from '../kit/answer.ts'
import { keyPairOf, makeSeed } from '../kit/ed25519.ts'

/** The store's key is made with its first approval, in the same transaction. */
export async function keepSeed(tx: Tx): Promise<void> {
  if ((await tx.warrantSeed()) === null) tx.keep(WARRANT_SEED, { value: makeSeed() })
}

/** Undefined unless the request was approved here, by the key of `seed`. */
export async function warrantBy(
  seed: string | null,
  request: Request,
  said: Pick<Message, 'imported_by'> | null,
): Promise<Warrant | undefined> {
  const fields = warrantOf(request)
  if (fields === null || !isDecidedHere(said) || seed === null) return undefined
  const { publicKey: key, sign } = await keyPairOf(seed)
  return { ...fields, key, signature: await sign(signedText(fields)) }
}

export const WARRANT_VIEW = aRow<Warrant>('warrant', 'the signed proof of an approval', {
  request_id: aText('the request'),
  revision: aNumber('the revision that was approved'),
  payload_sha256: aText('the digest of what was approved'),
  decision: aText('always approve: nothing else has a warrant'),
  decided_by: aText('by whom'),
  decided_at: aText('when'),
  key: aText('the public key of the store that signed it, in base64url'),
  signature: aText('Ed25519 over the canonical text of the fields before key, in base64url'),
})
