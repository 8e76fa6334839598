import { describe, expect, test } from 'bun:test'
import { connect } from '../../../src/index.ts'
import { callTwice } from '../../races/duplicates.ts'
import { withLonelyStore } from '../../races/own-store.ts'
import type { Engine } from '../../worlds/store.ts'
import { type Mutation, withMutant } from './mutant.ts'

// test/races/duplicates.test.ts makes the same calls on the real sources.
async function isDoneOnce(engine: Engine, source?: string): Promise<boolean> {
  return withLonelyStore(engine, async (store) => {
    const lead = await connect(store.address, { agent: 'lead' })
    const { thread } = await lead.send({ to: 'lead', subject: 'work' })
    await lead.close()
    const claim = { op: 'claim', input: { thread: thread.thread_id } }
    const { answers, events } = await callTwice(store, claim, source)
    return events === 1 && Bun.deepEquals(answers[0], answers[1]) && isAnswer(answers[0])
  })
}

function isAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'next_event_id' in answer
}

const GUARDS: [string, Engine, Mutation][] = [
  [
    'the lookup of the key',
    'sqlite',
    {
      file: 'store/sqlite/write.ts',
      guard: 'if (row !== null) return { written: replay(row, idempotency), recorded: true }',
      without: 'void row',
    },
  ],
  [
    'the lookup of the key',
    'postgres',
    {
      file: 'store/postgres/write.ts',
      guard: 'if (row !== null) {',
      without: 'if (row === undefined) {',
    },
  ],
  [
    'the queue of calls with one key',
    'postgres',
    {
      file: 'store/postgres/write.ts',
      guard: "idempotency.fresh ? 'begin' : beginUnder(idempotency)",
      without: "'begin'",
    },
  ],
]

describe('two claims at once with the same key', () => {
  test.each(['sqlite', 'postgres'] as const)(
    '%s: have one effect with the real sources',
    async (engine) => {
      expect(await isDoneOnce(engine)).toBe(true)
    },
  )
  test.each(GUARDS)('have two without %s (%s)', async (_, engine, mutation) => {
    expect(await withMutant(mutation, (source) => isDoneOnce(engine, source))).toBe(false)
  })
})
