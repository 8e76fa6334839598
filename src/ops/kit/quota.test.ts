import { expect, test } from 'bun:test'
import { hold, mustTakeAnswers, runInTurn, takeQuota } from './quota.ts'

let stores = 0

function newStore() {
  stores += 1
  return { place: `store ${stores}` }
}

function holder(name: string, store = newStore()) {
  return { store, principal: { kind: 'agent', name, proof: 'token' } as const }
}

test('one caller’s looks run a few at a time, in order; other callers have their own slots', async () => {
  const store = newStore()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const look = (number: number) =>
    runInTurn(holder('ann', store), async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = [1, 2, 3, 4, 5, 6].map(look)
  await Promise.resolve()
  expect(begun).toEqual([1, 2, 3, 4])
  expect(await runInTurn(holder('bob', store), async () => 'at once')).toBe('at once')
  ends.shift()?.()
  await all[0]
  expect(begun).toEqual([1, 2, 3, 4, 5])
  while (begun.length < 6) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  for (const end of ends) end()
  await Promise.all(all)
})

test('a failed look frees its slot', async () => {
  const ann = holder('ann')
  const looks = Array.from({ length: 9 }, (_, i) =>
    runInTurn(ann, async () => {
      if (i % 2 === 0) throw new Error('no')
      return i
    }),
  )
  const ended = await Promise.allSettled(looks)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
})

test('a caller that doesn’t read its answers gets no more until it does', async () => {
  const store = newStore()
  const ann = holder('ann', store)
  const half = 16 * 1024 * 1024
  const letGo = [hold('answers', ann, half), hold('answers', ann, half)]
  expect(() => mustTakeAnswers(ann)).toThrow('ann has 32 MB of answers that it does not read')
  await expect(runInTurn(ann, async () => 1)).rejects.toThrow('32 MB')
  mustTakeAnswers(holder('bob', store))
  letGo[0]?.()
  letGo[0]?.()
  mustTakeAnswers(ann)
  hold('answers', ann, half)
  expect(() => mustTakeAnswers(ann)).toThrow('32 MB')
})

test('each caller has its own limit of streams, and a slot is freed only once', () => {
  const store = newStore()
  const ann = holder('ann', store)
  const places = Array.from({ length: 64 }, () => takeQuota('streams', ann))
  expect(() => takeQuota('streams', ann)).toThrow(
    'ann has 64 streams open; end some, then try again',
  )
  takeQuota('streams', holder('bob', store))()
  takeQuota('streams', holder('ann'))()
  takeQuota('waits', ann)()
  places[0]?.()
  places[0]?.()
  const again = takeQuota('streams', ann)
  expect(() => takeQuota('streams', ann)).toThrow('64')
  for (const giveBack of [...places, again]) giveBack()
})

test('there is a limit for all callers together, including unidentified ones', () => {
  const mebibyte = 1024 * 1024
  const all = ['a', 'b', 'c', 'd'].map((name) => takeQuota('bodies', holder(name), 32 * mebibyte))
  expect(() => takeQuota('bodies', holder('e'), 1)).toThrow('too much is being sent at once')
  expect(() => takeQuota('bodies', undefined, 1)).toThrow('too much is being sent at once')
  all[0]?.()
  takeQuota('bodies', undefined, mebibyte)()
  expect(() => takeQuota('bodies', holder('e'), 33 * mebibyte)).toThrow('too much')
  for (const giveBack of all) giveBack()
})
