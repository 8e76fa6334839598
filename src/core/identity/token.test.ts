import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { evolveRecord } from '../record.ts'
import {
  composeToken,
  isGood,
  isSameText,
  principalOf,
  SECRET_BYTES,
  type Token,
  tokenIdIn,
} from './token.ts'
import { TOKENS, type TokenFacts } from './token-record.ts'

const ID = `tok_${'0123456789abcdefghjkmnpqrs'}`
const bytes = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES })
const AT = '2026-03-01T08:00:00.000Z'
const LATER = '2026-03-02T08:00:00.000Z'

test('a token contains its id and has a fixed format, whatever its secret', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const text = composeToken(ID, random)
      expect(text).toMatch(/^mr_[0-9a-z]{26}_[0-9A-Za-z]{49}$/)
      expect(tokenIdIn(text)).toBe(ID)
    }),
  )
})

test('different secrets make different tokens, so none of the 32 bytes is lost', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const isSame = one.every((byte, i) => byte === other[i])
      expect(composeToken(ID, one) === composeToken(ID, other)).toBe(isSame)
    }),
  )
  const ends = [0, 255].map((byte) => new Uint8Array(SECRET_BYTES).fill(byte))
  const [least, most] = ends.map((random) => composeToken(ID, random))
  expect(least).not.toBe(most)
  expect(least).toHaveLength(79)
  expect(most).toHaveLength(79)
})

test('the checksum is the CRC-32 of the text before it', () => {
  const text = composeToken(ID, new Uint8Array(SECRET_BYTES))
  const body = text.slice(0, -6)
  const digits = [...text.slice(-6)].reduce((sum, digit) => {
    const at = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)
    return sum * 62 + at
  }, 0)
  expect(digits).toBe(Bun.hash.crc32(body))
})

test('(1) rejects a token that is mistyped or cut off, and any other text', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.constantFrom(...'0aZ_ -'), (random, place, letter) => {
      const text = composeToken(ID, random)
      const at = place % text.length
      const changed = text.slice(0, at) + letter + text.slice(at + 1)
      fc.pre(changed !== text)
      expect(tokenIdIn(changed)).toBe(null)
    }),
  )
  const text = composeToken(ID, new Uint8Array(SECRET_BYTES))
  for (const other of ['', text.slice(1), text.slice(0, -1), `${text}0`, ` ${text}`, `${text}\n`]) {
    expect(tokenIdIn(other)).toBe(null)
  }
  expect(tokenIdIn('x'.repeat(10_000_000))).toBe(null)
})

test('(2) compares texts completely', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(isSameText(a, b)).toBe(a === b)
      expect(isSameText(a, a)).toBe(true)
    }),
  )
})

const ISSUED: Extract<TokenFacts, { type: 'token_issue' }> = {
  type: 'token_issue',
  token_id: ID,
  kind: 'token',
  principal_kind: 'agent',
  principal_name: 'ann',
  workspace_id: null,
  sets: [],
  label: '',
  expires_at: LATER,
}
const REVOKED: TokenFacts = { type: 'token_revoke', token_id: ID }

test('a token is valid until it expires or is revoked, which can happen only once', () => {
  const token = evolveRecord(TOKENS, null, ISSUED, { at: AT, agent: 'user' })
  expect(token).toMatchObject({ issued_by: 'user', issued_at: AT, revoked_at: null })
  expect(isGood(token, AT)).toBe(true)
  expect(isGood(token, LATER)).toBe(false)
  expect(isGood({ ...token, expires_at: null }, LATER)).toBe(true)
  const revoked = evolveRecord(TOKENS, token, REVOKED, { at: AT, agent: 'user' })
  expect(isGood(revoked, AT)).toBe(false)
  const at = { at: AT, agent: 'user' }
  expect(() => evolveRecord(TOKENS, token, ISSUED, at)).toThrow('there already')
  expect(() => evolveRecord(TOKENS, null, REVOKED, at)).toThrow('not there')
  expect(() => evolveRecord(TOKENS, revoked, REVOKED, at)).toThrow('was revoked')
})

test('a principal has only what its token grants', () => {
  const token: Token = evolveRecord(TOKENS, null, ISSUED, { at: AT, agent: 'user' })
  const ann = { kind: 'agent', name: 'ann', proof: 'token', token_id: ID } as const
  expect(principalOf({ ...token, expires_at: null })).toEqual(ann)
  expect(
    principalOf({ ...token, kind: 'session', workspace_id: 'ws_1', sets: ['mailbox'] }),
  ).toEqual({
    kind: 'agent',
    name: 'ann',
    proof: 'session',
    workspace_id: 'ws_1',
    sets: ['mailbox'],
    token_id: ID,
    expires_at: token.expires_at as string,
  })
})

test('a workspace token gives agents its sets, and people and services only its pushes', () => {
  const token: Token = evolveRecord(TOKENS, null, ISSUED, { at: AT, agent: 'user' })
  const setsOf = (principal_kind: Token['principal_kind'], sets: Token['sets']) =>
    principalOf({ ...token, principal_kind, workspace_id: 'ws_1', sets }).sets
  expect(setsOf('agent', [])).toBeUndefined()
  expect(setsOf('agent', ['mailbox'])).toEqual(['mailbox'])
  for (const kind of ['person', 'service'] as const) {
    expect(setsOf(kind, [])).toEqual(['workspace'])
    expect(setsOf(kind, ['mailbox', 'workspace'])).toEqual(['workspace'])
    expect(setsOf(kind, ['mailbox', 'threads'])).toEqual([])
  }
})
