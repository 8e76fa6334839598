import { expect } from 'bun:test'
import { everything } from './scenes.ts'
import type { World } from './world.ts'

/** Makes the same call twice, some time apart. Both answers must be equal, and the second call must change no row. */
export async function once<T extends object>(world: World, call: () => Promise<T>): Promise<T> {
  const first = await call()
  const before = await everything(world)
  const at = await world.clock.advance(5)
  expect(await call()).toEqual(first)
  const settings = before.settings?.map((row) =>
    row.name === 'clock' ? { ...row, value: at } : row,
  )
  expect(await everything(world)).toEqual({ ...before, settings: settings as [] })
  return first
}
