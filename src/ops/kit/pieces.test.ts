import { expect, test } from 'bun:test'
import { FREE_ROUNDS, nextPiece } from './pieces.ts'

let stores = 0

function newStore() {
  stores += 1
  return { place: `store ${stores}` }
}

function holder(name: string, store = newStore()) {
  return { store, principal: { kind: 'agent', name, proof: 'token' } as const }
}

async function look(who: ReturnType<typeof holder>, pieces: number, note: (who: string) => void) {
  for (let i = 0; i < pieces; i += 1) {
    await nextPiece(who)
    note(who.principal.name)
  }
}

test('callers take turns, however many looks each of them has', async () => {
  const store = newStore()
  const order: string[] = []
  const note = (name: string) => order.push(name)
  const ann = holder('ann', store)
  const all = [1, 2, 3].map(() => look(ann, 3, note))
  all.push(look(holder('bob', store), 3, note), look(holder('ann'), 2, note))
  await Promise.all(all)
  expect(order.slice(0, 8)).toEqual(['ann', 'bob', 'ann', 'ann', 'bob', 'ann', 'ann', 'bob'])
  expect(order.filter((name) => name === 'bob')).toHaveLength(3)
  expect(order).toHaveLength(14)
})

test('the event loop runs several times before each piece', async () => {
  const rounds: number[] = []
  let round = 0
  const ann = holder('ann')
  const all = [1, 2].map(() => look(ann, 2, () => rounds.push(round)))
  while (rounds.length < 4) {
    await new Promise(setImmediate)
    round += 1
  }
  await Promise.all(all)
  for (const [at, now] of rounds.entries()) {
    expect(now - (rounds[at - 1] ?? 0)).toBeGreaterThanOrEqual(FREE_ROUNDS - 1)
  }
})
