import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { composeToken, SECRET_BYTES, tokenIdIn } from '../../../src/core/identity/token.ts'
import type { Principal } from '../../../src/core/principal.ts'
import { withStore } from '../../races/own-store.ts'
import type { Engine, TestStore } from '../../worlds/store.ts'
import { type Mutation, withMutant } from './mutant.ts'

const SOURCE = join(import.meta.dirname, '../../../src')
const SIGNAL = new AbortController().signal
const SYSTEM: Principal = { kind: 'system', name: 'system', proof: 'claim' }
const BOSS: Principal = { kind: 'agent', name: 'boss', proof: 'claim' }
const ANN: Principal = { kind: 'agent', name: 'ann', proof: 'token' }

/** Lists the callers that got in or did something forbidden. With the real sources, the list is empty. */
async function breaches(store: TestStore, source: string, rounds = 10): Promise<string[]> {
  const { openMailroom } = (await import(
    join(source, 'bin/compose.ts')
  )) as typeof import('../../../src/bin/compose.ts')
  const { identify, redeemCode, identifySession } = (await import(
    join(source, 'ops/identity/identify.ts')
  )) as typeof import('../../../src/ops/identity/identify.ts')
  const { call } = (await import(
    join(source, 'ops/call.ts')
  )) as typeof import('../../../src/ops/call.ts')
  const { operationNamed } = (await import(
    join(source, 'ops/known-caller.ts')
  )) as typeof import('../../../src/ops/known-caller.ts')
  const room = await openMailroom(store.address, { connections: 16 })
  const found: string[] = []
  const ask = async (principal: Principal, name: string, raw: object) => {
    const { result } = await call(room, {
      op: await operationNamed(name),
      principal,
      raw: { ...raw },
      door: 'http',
      signal: SIGNAL,
    })
    return result as Record<string, string>
  }
  const tryTo = async (what: string, principal: Principal, name: string, raw: object) => {
    await ask(principal, name, raw).then(
      () => found.push(what),
      () => {},
    )
  }
  try {
    const good = (await ask(SYSTEM, 'token issue', { name: 'ann' })).token as string
    const forged = composeToken(tokenIdIn(good) as string, new Uint8Array(SECRET_BYTES))
    if (await identify(room.store, forged)) found.push('forged')
    if (await identifySession(room.store, good)) found.push('wrong kind')
    const ended = await identify(room.store, good)
    await ask(SYSTEM, 'token revoke', { token: good })
    await tryTo('ended', ended as Principal, 'send', { to: 'bob', subject: 'Late' })
    await tryTo('ended look', ended as Principal, 'fetch', {})
    await ask(SYSTEM, 'agent register', { agent: 'boss', role: 'orchestrator' })
    await tryTo('claimed', BOSS, 'mail peek', { to: 'user' })
    if (await identify(room.store, good)) found.push('revoked')
    // Runs several rounds, because in the first one most callers are still connecting.
    for (let round = 0; round < rounds && !found.includes('twice'); round++) {
      const code = (await ask(SYSTEM, 'sign-in', {})).code as string
      const sessions = await Promise.all(Array.from({ length: 16 }, () => redeemCode(room, code)))
      if (sessions.filter((session) => session !== null).length !== 1) found.push('twice')
    }
    await tryTo('for people', ANN, 'token list', {})
    await tryTo('as another', ANN, 'claim', { agent: 'bob' })
    await tryTo('power', ANN, 'agent register', { wake_command: '["true"]' })
    await tryTo('of another', ANN, 'agent register', { agent: 'bob' })
    await tryTo('other set', { ...ANN, sets: ['threads'] }, 'mail history', {})
    return found
  } finally {
    await room.close()
  }
}

const GUARDS: [string, Engine, Mutation][] = [
  [
    'forged',
    'sqlite',
    {
      file: 'ops/identity/identify.ts',
      guard: 'const isSame = isSameText(hash, token.hash)',
      without: 'const isSame = isSameText(hash, hash)',
    },
  ],
  [
    'wrong kind',
    'sqlite',
    { file: 'ops/identity/identify.ts', guard: 'token.kind === kind &&', without: '' },
  ],
  [
    'revoked',
    'sqlite',
    { file: 'core/identity/token.ts', guard: 'token.revoked_at === null &&', without: '' },
  ],
  [
    'ended',
    'sqlite',
    {
      file: 'store/sqlite/write.ts',
      guard: 'if (tokenId !== undefined) await mustBeGood(querier, tokenId)',
      without: '',
    },
  ],
  [
    'ended',
    'postgres',
    {
      file: 'store/postgres/write.ts',
      guard: '[refuseEnded(client, tokenId)]',
      without: '[]',
    },
  ],
  [
    'ended look',
    'sqlite',
    {
      file: 'ops/known-caller.ts',
      guard: 'await good\n',
      without: '\n',
    },
  ],
  [
    'claimed',
    'sqlite',
    {
      file: 'core/principal.ts',
      guard: "caller?.proof === 'claim' ||",
      without: 'false ||',
    },
  ],
  [
    'twice',
    'postgres',
    { file: 'ops/identity/identify.ts', guard: 'await tx.lockRecords()', without: '' },
  ],
  [
    'for people',
    'sqlite',
    { file: 'ops/kit/authorise.ts', guard: '!op.callers.includes(kind)', without: 'false' },
  ],
  [
    'as another',
    'sqlite',
    {
      file: 'ops/kit/authorise.ts',
      guard: '|| isOwn) continue',
      without: '|| true) continue',
    },
  ],
  [
    'power',
    'sqlite',
    { file: 'ops/kit/authorise.ts', guard: 'givesPower(field, raw[key]) &&', without: 'false &&' },
  ],
  [
    'of another',
    'sqlite',
    {
      file: 'ops/kit/authorise.ts',
      guard:
        "if (principal === undefined || (principal.kind === 'agent' && principal.name === agent)) return",
      without: 'return',
    },
  ],
  [
    'other set',
    'sqlite',
    { file: 'ops/kit/authorise.ts', guard: 'mustBeInSets(op, principal)', without: '' },
  ],
]

test.each(['sqlite', 'postgres'] as const)('%s: the real sources reject every breach', (engine) =>
  withStore(engine, async (store) => expect(await breaches(store, SOURCE)).toEqual([])),
)

test.each(GUARDS)('without its guard, the breach "%s" (%s) succeeds', (what, engine, mutation) =>
  withMutant(mutation, (source) =>
    withStore(engine, async (store) => {
      const rounds = what === 'twice' ? 500 : 1
      expect(await breaches(store, source, rounds)).toContain(what)
    }),
  ),
)
