// Others' judges of an MCP server: the Inspector's command line and the public conformance scenarios. They
// are large, and need a newer Node than ours; so they are no dependencies, but kept in .cache, pinned.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runStep } from './run-step.ts'

const WANTED = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
}

/** Their folder of modules. */
export async function obtainMcpTools(): Promise<string> {
  const versions = Object.entries(WANTED).map(([name, version]) => `${name}@${version}`)
  const folder = join(ROOT, '.cache', `mcp-tools-${Object.values(WANTED).join('-')}`)
  const modules = join(folder, 'node_modules')
  const isThere = Object.keys(WANTED).every((name) => existsSync(join(modules, name)))
  if (isThere) return modules
  mkdirSync(folder, { recursive: true })
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const cmd = ['npm', ...install, '--prefix', folder, ...versions]
  const { ok, output } = await runStep({ name: 'mcp tools', cmd })
  if (!ok) throw new Error(`could not obtain ${versions.join(' and ')}:\n${output}`)
  return modules
}
