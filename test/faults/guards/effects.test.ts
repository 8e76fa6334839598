// Two guards: an effect isn't started twice, and an approval isn't used twice. Without them, both happen.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Client, connect } from '../../../src/index.ts'
import { withStore } from '../../races/own-store.ts'
import { approvedOf, effectCommand, effectOf, startedEffects } from '../../worlds/effects.ts'
import { runInbox } from '../inbox.ts'
import { type Mutation, withMutant } from './mutant.ts'

/** The number of times that several supervisors, one after the other, start one effect's program. */
async function startsWithout(mutation: Mutation): Promise<number> {
  return withMutant(mutation, (source) =>
    withStore('sqlite', async ({ address, folder }) => {
      const user = await connect(address, { agent: 'user' })
      await user.requestEffect({ type: 'deploy', command: effectCommand(folder, 'works') })
      const request = await approvedOf(user, 'deploy')
      const args = ['request', 'exec', '--request', request, `--db=${address}`, '--json']
      const mutant = { folder, under: [process.execPath], program: join(source, 'bin/main.ts') }
      for (let n = 0; n < 2; n++) expect(await runInbox(args, mutant)).toMatchObject({ exit: 0 })
      expect((await effectOf(user, request)).state).toBe('done')
      await user.close()
      return startedEffects(folder).length
    }),
  )
}

// test/faults/effects.test.ts runs the same scenario on the real program.
test('without the check of its state, an effect is started by every supervisor', async () => {
  const guard = " || found.effect.state !== 'waiting'"
  expect(await startsWithout({ file: 'wake/effects.ts', guard, without: '' })).toBe(2)
})

test('with that check, it is started once', async () => {
  const nothing = { file: 'wake/effects.ts', guard: 'const LOST =', without: 'const LOST =' }
  expect(await startsWithout(nothing)).toBe(1)
})

test('without the check of its use, an approval can be used again', async () => {
  const guard = 'if (isUse && used_at !== null)'
  const mutation = { file: 'core/requests/warrant.ts', guard, without: 'if (false)' }
  await withMutant(mutation, (source) =>
    withStore('sqlite', async ({ address }) => {
      const { connect: enter } = await import(join(source, 'index.ts'))
      const user = (await enter(address)) as Client
      const request = await approvedOf(user, 'chore')
      const use = { request, payload: '{"n":1}', use: true }
      await user.requestVerify(use)
      expect(await user.requestVerify(use)).toMatchObject({ approved: true })
      await user.close()
    }),
  )
})
