// A turn continues even if recording that its mail was presented fails.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { makeLauncher } from '../../src/bin/launcher.ts'
import type { Store } from '../../src/core/store.ts'
import { connect } from '../../src/index.ts'
import { takeTurn } from '../../src/wake/turn.ts'
import { withStore } from '../races/own-store.ts'

/** A wake of ann that a broker has begun but no supervisor has started yet. */
async function begun(store: Store) {
  const at = await store.now()
  const of = { wake_id: 'wak_1', agent_id: 'ann', token: 'token-1', upto_event: 0 }
  const wake = { ...of, cause: 'mail' } as const
  await store.write(async (tx) => {
    const facts = { type: 'wake_start', ...wake, attempt: 1, hops: 0 } as const
    const expires_at = '2099-01-01T00:00:00.000Z' as typeof at
    tx.recordStoreEvent({ agent: 'system', at, summary: '', facts: { ...facts, expires_at } })
    return {}
  })
  return wake
}

test('an error in presenting ends neither the turn nor its supervisor', async () => {
  await withStore('sqlite', async ({ address }) => {
    const user = await connect(address, { agent: 'user' })
    await user.agentRegister({
      agent: 'ann',
      wake_command: JSON.stringify([process.execPath, '-e', 'await Bun.stdin.text()']),
    })
    await user.mailSend({ to: 'ann', body: 'Build it' })
    const { store, allowedCommands, close } = await openMailroom(address)
    const wake = await begun(store)
    const turn = await takeTurn(
      {
        store,
        allowedCommands,
        launcher: makeLauncher(address),
        signal: new AbortController().signal,
        show: (items) => JSON.stringify(items),
        present: () => Promise.reject(new TypeError('nothing that anybody expects')),
      },
      wake,
    )
    expect(turn).toMatchObject({ started: true, state: 'ended', exit_code: 0 })
    expect((await user.mailPeek({ to: 'ann' })).unread).toBe(1)
    await close()
    await user.close()
  })
})

test('the supervisor starts only the allowed command, even if it changed after the broker looked', async () => {
  await withStore('sqlite', async ({ address, folder, sql }) => {
    const user = await connect(address, { agent: 'user' })
    const ran = join(folder, 'ran')
    await user.agentRegister({ agent: 'ann', wake_command: '["true"]' })
    const { store, allowedCommands, close } = await openMailroom(address)
    const wake = await begun(store)
    await sql('update agents set wake_json = ?', JSON.stringify({ command: ['touch', ran] }))
    const turn = await takeTurn(
      {
        store,
        allowedCommands,
        launcher: makeLauncher(address),
        show: () => '',
        signal: new AbortController().signal,
        present: async () => {},
      },
      wake,
    )
    expect(turn).toMatchObject({ started: true, state: 'failed', exit_code: null })
    expect(existsSync(ran)).toBe(false)
    await close()
    await user.close()
  })
})
