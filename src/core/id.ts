// Ids are `thr_` + 26 characters: 10 of time, 16 of chance, in an alphabet without look-alikes.
// They sort roughly by age; nothing relies on it, because order is the event log's business.

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export const PREFIXES = {
  thread: 'thr',
  message: 'msg',
  artifact: 'art',
  lease: 'lse',
  key: 'key',
  store: 'sto',
  wake: 'wak',
  workspace: 'ws',
  token: 'tok',
} as const
export type IdKind = keyof typeof PREFIXES

/** Makes ids; the composition root supplies the randomness. */
export type MakeId = (kind: IdKind) => string

export function composeId(kind: IdKind, epochMs: number, random: Uint8Array): string {
  let time = ''
  let rest = epochMs
  for (let i = 0; i < 10; i++) {
    time = ALPHABET[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  let chance = ''
  for (let i = 0; i < 16; i++) chance += ALPHABET[(random[i] ?? 0) % 32]
  return `${PREFIXES[kind]}_${time}${chance}`
}
