import { expect, test } from 'bun:test'
import type { Store } from '../../core/store.ts'
import { hold, inTurn, mustHaveRoom, type Sharer } from './share.ts'

function sharerOf(name: string, store = {} as Store): Sharer {
  return { store, principal: { kind: 'agent', name, proof: 'token' } }
}

test('looks of one caller are taken a few at a time, in their order; others have their own', async () => {
  const store = {} as Store
  const begun: number[] = []
  const ends: (() => void)[] = []
  const look = (number: number) =>
    inTurn(sharerOf('ann', store), async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = [1, 2, 3, 4, 5, 6].map(look)
  await Promise.resolve()
  expect(begun).toEqual([1, 2, 3, 4])
  expect(await inTurn(sharerOf('bob', store), async () => 'at once')).toBe('at once')
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

test('a look that fails gives its place to the next', async () => {
  const ann = sharerOf('ann')
  const looks = Array.from({ length: 9 }, (_, i) =>
    inTurn(ann, async () => {
      if (i % 2 === 0) throw new Error('no')
      return i
    }),
  )
  const ended = await Promise.allSettled(looks)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
})

test('who does not take its answers gets no more, until it does', async () => {
  const store = {} as Store
  const ann = sharerOf('ann', store)
  const half = 16 * 1024 * 1024
  const letGo = [hold(ann, half), hold(ann, half)]
  expect(() => mustHaveRoom(ann)).toThrow('ann has 32 MB of answers that it does not read')
  await expect(inTurn(ann, async () => 1)).rejects.toThrow('32 MB')
  mustHaveRoom(sharerOf('bob', store))
  letGo[0]?.()
  letGo[0]?.()
  mustHaveRoom(ann)
  hold(ann, half)
  expect(() => mustHaveRoom(ann)).toThrow('32 MB')
})
