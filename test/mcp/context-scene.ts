// The setup for tests of a workflow's tools: a running instance, its own server, and `inbox serve` next to it.

import { afterAll, beforeAll } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { openInstanceServer } from '../../src/bin/instance-server.ts'
import type { ServedTools } from '../../src/workflows/host.ts'
import { folders } from '../program/process.ts'
import { begin, speak } from '../worlds/instances.ts'
import { type Serving, serve } from './serving.ts'
import type { Way } from './visitors.ts'

export const WAYS = ['socket', 'port', 'stdio', 'serve'] as const
export type WayIn = (typeof WAYS)[number]

/** Call this at the top of a test file. */
export function contextScene(instance = 'pr-1') {
  const folder = folders()
  const here = folder()
  const db = join(here, 'inbox.db')
  const dir = join(here, '.workflow', instance)
  let mailroom: Mailroom
  let context: ServedTools
  let server: Serving
  beforeAll(async () => {
    mkdirSync(dir, { recursive: true })
    mailroom = await openMailroom(db)
    await begin(mailroom, { instance, dir })
    const { close: _, ...house } = mailroom
    context = await openInstanceServer({ house, instance, dir, runtimeFolder: join(here, 'run') })
    server = await serve(here, ['--db', db])
  })
  afterAll(async () => {
    await context.close()
    await server.stop()
    await mailroom.close()
  })
  const header = 'x-agent-id'
  return {
    here,
    db,
    dir,
    instance,
    folder,
    mailroom: () => mailroom,
    context: () => context,
    server: () => server,
    wayFor(way: WayIn, name: string): Way {
      const agent = `${name}@${instance}`
      switch (way) {
        case 'socket':
          return {
            kind: 'http',
            url: 'http://localhost/mcp',
            agent,
            header,
            socket: context.socket,
          }
        case 'port':
          return { kind: 'http', url: context.url, agent, header }
        case 'serve':
          return { kind: 'http', url: `${server.url}/mcp/instance/${instance}`, agent, header }
        case 'stdio':
          return { kind: 'stdio', folder: here, agent, args: ['--sets', 'workflow', '--db', db] }
      }
    },
    /** Writes to the channel without a tool, as the runner or a person does. */
    async say(from: string, text: string) {
      const written = await speak(mailroom, from, text, { instance })
      mailroom.bell.ring()
      return written
    },
  }
}
