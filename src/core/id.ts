// Ids are `thr_` + 26 characters: 10 for the time and 16 random, in an alphabet without look-alikes.
// They sort roughly by age; nothing relies on that, because the log defines the order.

import { type NamedRecord, RECORDS } from './records.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const OWN = {
  thread: 'thr',
  message: 'msg',
  artifact: 'art',
  lease: 'lse',
  key: 'key',
  store: 'sto',
} as const
export type IdKind = keyof typeof OWN | NamedRecord

/** The prefixes of ids, keyed by the noun for what they identify. */
export const PREFIXES = { ...OWN, ...RECORDS.prefixes } as Record<IdKind, string>
/** An entry's id has the format other programs expect. */
export type AnyKind = IdKind | 'entry'

/** Makes ids; the composition root supplies the randomness. */
export type MakeId = (kind: AnyKind) => string

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

/** A version 4 UUID: random except for the six bits that mark it as one. */
export function composeUuid(random: Uint8Array): string {
  const bytes = random.slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
