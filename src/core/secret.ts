// The secrets this program gives out, as they appear in text.

export type Mask = [RegExp, string]

export const OWN_SECRETS: readonly Mask[] = [
  // A token or a browser session. Its public id shows whose it was.
  [/\bmr_([0-9a-z]{26})_[0-9A-Za-z]+/g, 'mr_$1_***'],
  // A lease token, which proves who holds the lease.
  [/\blse_[0-9a-z]+/g, 'lse_***'],
  // A sign-in code can be recognized only by its form: 128 bits in 22 base-62 digits, so the first digit is at most
  // 7. A number isn't one.
  [/(?<![0-9A-Za-z])(?!\d{22})[0-7][0-9A-Za-z]{21}(?![0-9A-Za-z])/g, '***'],
]

/** Masks secrets in a refusal, because it repeats the caller's input and gets passed on in reports. */
export function maskSecrets(text: string, masks = OWN_SECRETS): string {
  return masks.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text)
}
