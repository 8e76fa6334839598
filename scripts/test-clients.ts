// Runs real agents' programs against the built one, with a scripted model: `npm run test:clients`. Not part of `npm
// test`, because it first downloads about 1.3 gigabytes. Arguments select files by name.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.ts'
import { obtainAgents } from './obtain.ts'
import { ROOT, runStep, seconds } from './run-step.ts'
import { judge, readJunit } from './suite-report.ts'

/** Long enough to start a 300 MB program on a busy machine, several times. */
const TIMEOUT_MS = 120_000

async function main(names: string[]): Promise<number> {
  const agents = await obtainAgents()
  if ('missing' in agents) {
    console.log(`left out: ${agents.missing}`)
    return 0
  }
  console.log(await build({ force: false }))
  const junit = join(ROOT, 'dist', 'junit', 'clients.xml')
  mkdirSync(join(ROOT, 'dist', 'junit'), { recursive: true })
  rmSync(junit, { force: true })
  const apart = await withoutNetwork()
  if (apart.length === 0) console.log('note: this machine cannot take the network away from a test')
  const result = await runStep({
    name: 'clients',
    cmd: [
      ...apart,
      process.execPath,
      'test',
      '--no-orphans',
      `--timeout=${TIMEOUT_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${junit}`,
      ...(names.length === 0
        ? ['./test/clients']
        : names.map((name) => `./test/clients/${name}.test.ts`)),
    ],
    env: { CI: 'true', MAILROOM_TEST_AGENTS: JSON.stringify(agents) },
  })
  const { passed, failed } = judge(readJunit(junit), result.ok)
  console.log(`${result.output.trim()}\n\nclients: ${seconds(result.wallMs)}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

/** A command prefix that leaves only this machine's addresses reachable. Empty if that isn't possible. */
async function withoutNetwork(): Promise<string[]> {
  const words = [
    'unshare',
    '--net',
    '--map-root-user',
    'sh',
    '-c',
    'ip link set lo up && exec "$@"',
    'sh',
  ]
  const tried = await runStep({ name: 'apart', cmd: [...words, 'true'] }).catch(() => ({
    ok: false,
  }))
  return tried.ok ? words : []
}

process.exitCode = await main(process.argv.slice(2))
