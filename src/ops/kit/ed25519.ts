// Ed25519 signatures. A secret key is its 32-byte seed; keys and signatures are stored and shown as base64url.

const ENCODING = { alphabet: 'base64url', omitPadding: true } as const
const ED25519 = 'Ed25519'
const SEED_BYTES = 32
/** The PKCS #8 header before the seed, which web crypto expects. */
const BEFORE_SEED = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]

export function makeSeed(): string {
  return crypto.getRandomValues(new Uint8Array(SEED_BYTES)).toBase64(ENCODING)
}

export type KeyPair = { publicKey: string; sign: (text: string) => Promise<string> }

export async function keyPairOf(seed: string): Promise<KeyPair> {
  const bytes = Uint8Array.from([...BEFORE_SEED, ...fromText(seed)])
  const key = await crypto.subtle.importKey('pkcs8', bytes, ED25519, true, ['sign'])
  const { x: publicKey = '' } = await crypto.subtle.exportKey('jwk', key)
  return {
    publicKey,
    async sign(text) {
      const signature = await crypto.subtle.sign(ED25519, key, new TextEncoder().encode(text))
      return new Uint8Array(signature).toBase64(ENCODING)
    },
  }
}

/** Whether the holder of this key signed the text. False for input that isn't a key or a signature. */
export async function isSigned(
  publicKey: string,
  signature: string,
  text: string,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', fromText(publicKey), ED25519, false, [
      'verify',
    ])
    return await crypto.subtle.verify(
      ED25519,
      key,
      fromText(signature),
      new TextEncoder().encode(text),
    )
  } catch {
    return false
  }
}

function fromText(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: 'base64url' })
}
