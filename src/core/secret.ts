// Patterns that find the secrets this program issues in text.

export type Mask = [RegExp, string]

export const OWN_SECRETS: readonly Mask[] = [
  // A token or a browser session. The public id is kept, to show whose secret it was.
  [/\bmr_([0-9a-z]{26})_[0-9A-Za-z]+/g, 'mr_$1_***'],
  // A lease token, which proves who holds the lease.
  [/\blse_[0-9a-z]+/g, 'lse_***'],
  // A sign-in code can be recognized only by its form: 128 bits in 22 base-62 digits, so the first digit is at most 7.
  // An all-digit string is taken for a number.
  [/(?<![0-9A-Za-z])(?!\d{22})[0-7][0-9A-Za-z]{21}(?![0-9A-Za-z])/g, '***'],
]

/** Masks secrets in refusals, because they repeat the caller's input and get passed on in reports. */
export function maskSecrets(text: string, masks = OWN_SECRETS): string {
  return masks.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text)
}
