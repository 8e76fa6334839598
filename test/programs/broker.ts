// A broker that kills itself on the way to starting an agent: at a point of the write that begins a wake, or just
// before or after it starts the supervisor.

import { allowedCommandsFor } from '../../src/bin/compose.ts'
import { makeLauncher } from '../../src/bin/launcher.ts'
import type { Point } from '../../src/core/store.ts'
import type { Launcher } from '../../src/core/waking/launch.ts'
import { runBroker } from '../../src/wake/broker.ts'
import { PROGRAM } from '../worlds/program.ts'
import { openClient } from './client.ts'
import { say } from './lines.ts'

export type Death = Point | 'unstarted' | 'started'

const [address = '', death = ''] = process.argv.slice(2)
// The first write records the broker's presence, so the broker dies only in later ones.
let writes = 0

const client = await openClient(address, { onPoint: (point) => void (writes > 1 && dieAt(point)) })
const launcher = makeLauncher(address, [PROGRAM])
const watched: Launcher = {
  ...launcher,
  async supervise(wake, around) {
    dieAt('unstarted')
    await launcher.supervise(wake, around)
    dieAt('started')
  },
}
say({ ready: true })
await runBroker({
  store: {
    ...client.store,
    write(work) {
      writes += 1
      return client.store.write(work)
    },
  },
  bell: client.bell,
  allowedCommands: allowedCommandsFor(address, client.store),
  launcher: watched,
  around: {},
  makeId: (kind) => `${kind}_${crypto.randomUUID()}`,
  offsetMinutes: () => 0,
  signal: new AbortController().signal,
  tell: say,
})

function dieAt(point: Death): void {
  if (point === death) process.kill(process.pid, 'SIGKILL')
}
