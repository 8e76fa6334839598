// The agents' own programs, as their vendors publish them, run without a terminal against a scripted model.

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DIST } from '../program/process.ts'
import type { Model } from './model.ts'

export type Ran = {
  code: number
  err: string
  /** What it reported while it ran, a line each. */
  events: Event[]
  /** Its last words. */
  said: string
}
type Event = { type: string; result?: string; item?: { text?: string } } & Record<string, unknown>

export type Running = {
  folder: string
  model: Model
  env?: Record<string, string>
}

/** Their words come from the environment of the suite. */
function binary(name: string): string {
  const path = process.env[`MAILROOM_TEST_${name}`]
  if (path === undefined) throw new Error('run this suite by `npm run test:clients`')
  return path
}

const CLAUDE = binary('CLAUDE')
const CODEX = binary('CODEX')

/** As on a machine where all three are installed. */
const PATH = [DIST, dirname(CLAUDE), dirname(CODEX), process.env.PATH].join(':')

/** Nothing of the tester's own settings or sessions, and nobody to call but the model. */
export function claudeEnv({ folder, model, env = {} }: Running): Record<string, string> {
  return {
    PATH,
    HOME: homeOf(folder),
    CLAUDE_CONFIG_DIR: homeOf(folder),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...env,
  }
}

export const CLAUDE_WORDS = [
  ...['-p', '--output-format', 'stream-json', '--verbose'],
  ...['--allowedTools', 'mcp__mailroom'],
]

export function claude(prompt: string, words: string[], running: Running): Promise<Ran> {
  return finished([CLAUDE, ...CLAUDE_WORDS, ...words, '--', prompt], running, claudeEnv(running))
}

export function codexEnv({ folder, env = {} }: Running): Record<string, string> {
  return {
    PATH,
    HOME: homeOf(folder),
    CODEX_HOME: homeOf(folder),
    SCRIPTED_KEY: 'none',
    ...env,
  }
}

export function codexWords({ model }: Pick<Running, 'model'>): string[] {
  const provider = `{name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}`
  return [
    ...['--json', '--skip-git-repo-check', '-m', 'scripted'],
    // They would look for a network, and wait for it at the end.
    ...['--disable', 'plugins', '--disable', 'apps'],
    ...['-c', 'model_provider=scripted', '-c', `model_providers.scripted=${provider}`],
    ...['-c', 'analytics.enabled=false', '-c', 'approval_policy=never'],
  ]
}

export function codex(prompt: string, words: string[], running: Running): Promise<Ran> {
  const cmd = [CODEX, 'exec', ...codexWords(running), ...words, prompt]
  return finished(cmd, running, codexEnv(running))
}

async function finished(cmd: string[], { folder, model }: Running, env: Record<string, string>) {
  const child = Bun.spawn(cmd, {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  model.check()
  const lines = out.split('\n').filter((line) => line.startsWith('{'))
  const events = lines.map((line) => JSON.parse(line) as Event)
  const words = events.map(({ result, item }) => result ?? item?.text)
  return { code, err, events, said: words.findLast((text) => text !== undefined) ?? '' }
}

/**
 * Where it keeps its own settings and sessions; not the folder it works in, because what is in somebody's home
 * folder is not taken for a project's.
 */
export function homeOf(folder: string): string {
  const home = join(folder, '.home')
  mkdirSync(home, { recursive: true })
  return home
}
