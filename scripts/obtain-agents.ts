// The agent programs, as their vendors publish them. They are hundreds of megabytes, so they aren't dependencies
// but live in .cache, pinned. Only the clients suite needs them.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runStep } from './run-step.ts'

const WANTED = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@openai/codex': '0.166.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
}

export type ObtainedAgents = Record<'claude' | 'codex' | 'gemini' | 'opencode', string>

/** The path of each program, or why it is missing: most packages exist for one kind of machine only. */
export async function obtainAgents(): Promise<ObtainedAgents | { missing: string }> {
  const machine = `${process.platform}-${process.arch}`
  const target = CODEX_TARGETS[machine]
  if (target === undefined) return { missing: `no programs of agents for ${machine}` }
  const folder = join(ROOT, '.cache', `agents-${Object.values(WANTED).join('-')}`)
  const modules = join(folder, 'node_modules')
  const agents = {
    claude: join(modules, `@anthropic-ai/claude-code-${machine}`, 'claude'),
    codex: join(modules, `@openai/codex-${machine}`, 'vendor', target, 'bin', 'codex'),
    gemini: join(modules, '@google/gemini-cli/bundle/gemini.js'),
    opencode: join(modules, `opencode-${machine}`, 'bin', 'opencode'),
  }
  const lacking = () => Object.values(agents).filter((path) => !existsSync(path))
  if (lacking().length > 0) await install(folder)
  if (lacking().length > 0) throw new Error(`npm did not bring ${lacking().join(' and ')}`)
  return agents
}

const CODEX_TARGETS: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}

async function install(folder: string): Promise<void> {
  const versions = Object.entries(WANTED).map(([name, version]) => `${name}@${version}`)
  mkdirSync(folder, { recursive: true })
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const cmd = ['npm', ...words, '--prefix', folder, ...versions]
  const { ok, output } = await runStep({ name: 'agents', cmd })
  if (!ok) throw new Error(`could not obtain ${versions.join(' and ')}:\n${output}`)
}
