// A server loads the GraphQL package on the first request that needs it. A probe in BUN_OPTIONS, which the built
// program still reads, reports which chunks the server has loaded.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { graph } from './graph.ts'
import { op, servers } from './serving.ts'

const { start, folder } = servers()

const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs')
process.on('exit', () => {
  const chunks = Object.keys(require.cache).filter((path) => path.startsWith('/$bunfs/'))
  writeFileSync(process.env.PROBE_OUT, chunks.map((path) => readFileSync(path, 'utf8')).join('\\n'))
})
`
/** A string in the package that survives minification. */
const MARK = 'Document contains more that'

async function loadedBy(isAsked: boolean): Promise<string> {
  const home = folder()
  const out = join(home, 'loaded')
  await Bun.write(join(home, 'probe.js'), PROBE)
  const env = { BUN_OPTIONS: `--preload ${join(home, 'probe.js')}`, PROBE_OUT: out }
  const server = await start({ env })
  expect((await op(server, 'request-list')).status).toBe(200)
  if (isAsked) expect((await graph(server, '{ inboxItems { id } }')).status).toBe(200)
  expect(await server.stop()).toBe(0)
  return Bun.file(out).text()
}

test('loads the GraphQL package on the first request to /graphql', async () => {
  const [never, once] = await Promise.all([loadedBy(false), loadedBy(true)])
  expect(never.length).toBeGreaterThan(100_000)
  expect(never).not.toContain(MARK)
  expect(once).toContain(MARK)
})
