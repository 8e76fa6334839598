import { expect, test } from 'bun:test'
import { ENGINES } from '../races/own-store.ts'
import { killAtRandom } from './random-kills.ts'

test.each([...ENGINES])(
  '%s: 60 kills at random moments, and nothing acknowledged is lost',
  async (engine) => {
    const killed = await killAtRandom(engine, { kills: 60 })
    expect(killed.lost).toEqual([])
    expect(killed.contradictions).toEqual([])
    expect(killed.findings).toEqual([])
    expect(killed.kills).toBe(60)
    expect(killed.acknowledged).toBeGreaterThan(200)
  },
)
