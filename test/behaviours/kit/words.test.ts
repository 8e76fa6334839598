import { expect } from 'bun:test'
import { loadAll } from '../../../src/ops/catalogue.ts'
import { behaves } from '../../worlds/behaves.ts'
import { isOfferedAt } from '../../worlds/offered.ts'
import { refused } from '../../worlds/refused.ts'
import { everything } from '../../worlds/scenes.ts'

behaves('words/unknown', async (world) => {
  const before = await everything(world)
  // A caller that every door accepts.
  const inbox = world.as('user') as unknown as Record<string, (input: object) => Promise<object>>
  for (const op of await loadAll()) {
    if (!isOfferedAt(op, world.door)) continue
    // Over HTTP, only the owner's own page may call it, and that is checked before the input.
    if (op.opensWindow && world.door === 'http') continue
    const name = op.name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase())
    const call = inbox[name]?.({ nonsense: 'x' }) ?? Promise.reject(new Error(`no ${name}`))
    const no = await refused(call, 'invalid_input')
    expect(no.message).toContain('nonsense')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('words/limits', async (world) => {
  const before = await everything(world)
  const { status, sweep, prune, wakeLog, tokenList, requestList, agentRuns, ...more } =
    world.as('user')
  const calls = [
    [status, 100],
    [prune, 10_000],
    [sweep, 1000],
    [more.requestBackfill, 1000],
    [wakeLog, 1000],
    [tokenList, 1000],
    [requestList, 500],
    [agentRuns, 500],
  ] as const
  for (const [call, most] of calls) {
    for (const limit of [0, most + 1]) {
      const no = await refused(call({ limit }), 'invalid_input')
      expect(no.message).toContain('limit')
    }
  }
  expect(await everything(world)).toEqual(before)
})
