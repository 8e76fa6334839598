import { expect, test } from 'bun:test'
import { ENGINES } from '../races/own-store.ts'
import { extentAsked } from '../worlds/extent.ts'
import { killAtRandom } from './random-kills.ts'

const KILLS = extentAsked() === 'full' ? 60 : 20

test.each([...ENGINES])(
  '%s: no acknowledged write is lost when processes are killed at random',
  async (engine) => {
    const killed = await killAtRandom(engine, { kills: KILLS })
    expect(killed.lost).toEqual([])
    expect(killed.contradictions).toEqual([])
    expect(killed.findings).toEqual([])
    expect(killed.kills).toBe(KILLS)
    expect(killed.acknowledged).toBeGreaterThan((10 / 3) * KILLS)
  },
)
