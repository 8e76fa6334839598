// The supervisor of an effect, which kills itself: at a point of the write that begins or ends the effect, just before
// it starts the program, or just after.

import { allowedCommandsFor } from '../../src/bin/compose.ts'
import { makeLauncher } from '../../src/bin/launcher.ts'
import type { Point } from '../../src/core/store.ts'
import type { Launcher } from '../../src/core/waking/launch.ts'
import { effectInput } from '../../src/ops/requests/request-exec.ts'
import { carryOut } from '../../src/wake/effects.ts'
import { openClient } from './client.ts'
import { say } from './lines.ts'

export type EffectDeath = `${'first' | 'last'} ${Point}` | 'unstarted' | 'started' | 'none'

const [address = '', request = '', death = ''] = process.argv.slice(2)
let writes = 0

const client = await openClient(address, {
  onPoint: (point) => dieAt(`${writes === 1 ? 'first' : 'last'} ${point}`),
})
const { store } = client
const launcher = makeLauncher(address)
const watched: Launcher = {
  ...launcher,
  async start(program) {
    dieAt('unstarted')
    const started = await launcher.start(program)
    dieAt('started')
    return started
  },
}
const report = await carryOut(
  {
    store: {
      ...store,
      write(work) {
        writes += 1
        return store.write(work)
      },
    },
    allowedCommands: allowedCommandsFor(address, store),
    launcher: watched,
    signal: new AbortController().signal,
    input: (row) => effectInput(store, row),
  },
  request,
)
say(report)
await client.close()

function dieAt(point: EffectDeath): void {
  if (point === death) process.kill(process.pid, 'SIGKILL')
}
