// A runner's process: an instance and its server.

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openMailroom } from '../src/bin/compose.ts'
import { openInstanceServer } from '../src/bin/instance-server.ts'
import { begin } from '../test/worlds/instances.ts'
import { answer, nextMessage } from './child.ts'

export type RunnerTask = { db: string; instance: string }
export type RunnerPlace = { socket: string; url: string }

const { db, instance } = await nextMessage<RunnerTask>()
const { close: _, ...house } = await openMailroom(db)
const dir = join(dirname(db), instance)
mkdirSync(dir)
await begin(house, { instance, dir })
const context = await openInstanceServer({
  house,
  instance,
  dir,
  runtimeFolder: join(dirname(db), 'run'),
})
const place: RunnerPlace = { socket: context.socket, url: context.url }
answer(place)
