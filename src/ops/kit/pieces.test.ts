import { expect, test } from 'bun:test'
import { nextPiece } from './pieces.ts'

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

test('between two pieces comes whatever else there is to do', async () => {
  const order: string[] = []
  const ann = holder('ann')
  const looks = [1, 2, 3].map((number) => look(ann, 1, () => order.push(`piece ${number}`)))
  for (const number of [1, 2]) {
    await new Promise(setImmediate)
    order.push(`other ${number}`)
  }
  await Promise.all(looks)
  expect(order).toEqual(['piece 1', 'other 1', 'piece 2', 'other 2', 'piece 3'])
})
