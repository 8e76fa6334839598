// The servers of a run, both its own and `inbox serve`, and who may call them.

import { expect } from 'bun:test'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { flowIn } from '../../worlds/workflows.ts'
import { until } from '../../worlds/world.ts'

const CALLER = join(import.meta.dirname, '../../programs/context-caller.ts')

function callers(served = ''): string {
  const words = JSON.stringify([process.execPath, CALLER, served])
  const quiet = JSON.stringify(['sh', '-c', 'cat >/dev/null'])
  return `agents:
  ann: { backend: command, command: ${words} }
  bob: { backend: command, command: ${quiet} }
kickoff: "@ann"
`
}

const RUNS = "select agent_id from wakes where agent_id = 'ann@default'"

behaves('workflow-run/served', async (world) => {
  const flow = await flowIn(world)
  const server = flow.start('serve', '--json', '--port', '0')
  await until(async () => server.stdout().includes('\n'), 'the server')
  const { url } = JSON.parse(server.stdout().split('\n')[0] ?? '') as { url: string }
  flow.file('one.yaml', callers(`${url}/mcp/instance/default`))
  const report = await flow.ask('workflow', 'run', 'one.yaml')
  expect(report).toMatchObject({
    ended: 'idle',
    entries: 4,
    agents: [{ unread: 0 }, { unread: 0 }],
  })
  expect(flow.notes()).toEqual([
    'name at the port 200',
    'name at the socket 200',
    'name at serve 200',
  ])
  expect(await world.sql(RUNS)).toHaveLength(1)
  expect((await fetch(`${url}/channels`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.ended
})

behaves('workflow-run/tokens', async (world) => {
  const flow = await flowIn(world)
  const { token } = await world.inbox.tokenIssue({ name: 'ann@other' })
  flow.env.OTHER_TOKEN = token ?? ''
  flow.file('one.yaml', callers())
  const report = await flow.ask('workflow', 'run', 'one.yaml')
  expect(report).toMatchObject({ ended: 'idle', entries: 3 })
  expect(flow.notes()).toEqual([
    'name at the port 401',
    'name at the socket 200',
    'token at the port 200',
    "another's token 403",
  ])
  // The token is revoked when its turn ends.
  const good = await world.sql(
    "select token_id from tokens where principal_name = 'ann@default' and revoked_at is null",
  )
  expect(good).toEqual([])
  expect(await world.sql(RUNS)).toHaveLength(1)
})
