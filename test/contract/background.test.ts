// A runner in the background that doesn't answer, with a real store and a real process.

import { expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { startInBackground } from '../../src/workflows/background.ts'
import type { WorkflowHost } from '../../src/workflows/host.ts'

test('a command that gives up removes the file for its runner', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'mailroom-background-'))
  const room = await openMailroom(join(folder, 'inbox.db'))
  const slow = Bun.spawn(['sleep', '600'])
  const seen: string[] = []
  const host = {
    address: room.store.place,
    cwd: folder,
    async detach() {
      seen.push(...fs.readdirSync(folder).filter((name) => name.startsWith('wish-')))
      return { pid: slow.pid, ended: slow.exited }
    },
  } as unknown as WorkflowHost
  try {
    const around = { ...room, host, signal: AbortSignal.abort() }
    const wish = { folder, name: 'default', wish: { secret: 'x' } }
    const answer = startInBackground(around, wish)
    await expect(answer).rejects.toThrow('does not answer')
    expect(seen).toHaveLength(1)
    expect(fs.readdirSync(folder)).not.toContain(seen[0])
  } finally {
    slow.kill('SIGKILL')
    await slow.exited
    await room.close()
    fs.rmSync(folder, { recursive: true })
  }
})
