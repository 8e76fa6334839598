// Runs the agents' own programs, as their vendors publish them, without a terminal and against a scripted model.

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DIST } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import type { Model } from './model.ts'

export type Ran = {
  code: number
  err: string
  /** The events that the agent reported while it ran. */
  events: Event[]
  /** The agent's final message. */
  said: string
}
type Event = { type: string; result?: string; item?: { text?: string } } & Record<string, unknown>

export type Running = {
  folder: string
  model: Model
  env?: Record<string, string>
}

type Paths = Record<'claude' | 'codex' | 'gemini' | 'opencode', string>

const { MAILROOM_TEST_AGENTS } = process.env
if (MAILROOM_TEST_AGENTS === undefined) {
  throw new Error('run this suite by `npm run test:clients`')
}
const AGENTS = JSON.parse(MAILROOM_TEST_AGENTS) as Paths

/** The PATH of a machine where the clients are installed. */
const PATH = [DIST, dirname(AGENTS.claude), dirname(AGENTS.codex), process.env.PATH].join(':')

/** Excludes the tester's settings and sessions. The program can only call the model. */
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
  '-p',
  '--output-format',
  'stream-json',
  '--verbose',
  '--allowedTools',
  'mcp__mailroom',
]

export function claude(prompt: string, words: string[], running: Running): Promise<Ran> {
  return finished(
    [AGENTS.claude, ...CLAUDE_WORDS, ...words, '--', prompt],
    running,
    claudeEnv(running),
  )
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
    '--json',
    '--skip-git-repo-check',
    '-m',
    'scripted',
    // Both try to reach the network, which delays the end of the run.
    '--disable',
    'plugins',
    '--disable',
    'apps',
    '-c',
    'model_provider=scripted',
    '-c',
    `model_providers.scripted=${provider}`,
    '-c',
    'analytics.enabled=false',
    '-c',
    'approval_policy=never',
  ]
}

export function codex(prompt: string, words: string[], running: Running): Promise<Ran> {
  const cmd = [AGENTS.codex, 'exec', ...codexWords(running), ...words, prompt]
  return finished(cmd, running, codexEnv(running))
}

export const GEMINI = ['node', AGENTS.gemini, '-m', 'gemini-2.5-flash']

export function gemini(prompt: string, running: Running): Promise<Ran> {
  const words = ['-p', prompt, '-o', 'stream-json', '--approval-mode', 'yolo']
  return finished([...GEMINI, ...words], running, geminiEnv(running))
}

export function geminiEnv({ folder, model, env = {} }: Running): Record<string, string> {
  return {
    PATH,
    HOME: homeOf(folder),
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: model.url,
    // A flag would come too late, because the folder's settings are read earlier.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    ...env,
  }
}

export const OPENCODE = [AGENTS.opencode]

export function opencodeEnv({ folder, model }: Running): Record<string, string> {
  const options = { baseURL: `${model.url}/v1`, apiKey: 'none' }
  const provider = { npm: '@ai-sdk/openai-compatible', options, models: { scripted: {} } }
  const settings = {
    provider: { scripted: provider },
    model: 'scripted/scripted',
    permission: 'allow',
    share: 'disabled',
  }
  return {
    PATH,
    HOME: homeOf(folder),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    // Opencode tries to download a package for every plugin, but works without it.
    npm_config_fetch_retries: '0',
  }
}

/**
 * Opencode has no hooks that can keep a run going. It continues on its own, but a run without a window ends before it
 * does. So this runs opencode's server, which its window also uses, until the script is over.
 */
export async function opencode(
  prompt: string,
  running: Running,
  isOver: () => boolean,
): Promise<{ session: string }> {
  const { folder, model } = running
  const words = ['serve', '--hostname', '127.0.0.1', '--port', '0']
  const child = Bun.spawn([AGENTS.opencode, ...words], {
    cwd: folder,
    env: opencodeEnv(running),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  try {
    const url = await addressIn(child.stdout)
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${url}${path}`, init)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as { id: string }
    }
    const { id } = await post('/session', {})
    const parts = [{ type: 'text', text: prompt }]
    await post(`/session/${id}/message`, {
      model: { providerID: 'scripted', modelID: 'scripted' },
      parts,
    })
    await until(async () => isOver(), 'the end of what the model does', 60_000)
    model.check()
    return { session: id }
  } finally {
    child.kill()
    await child.exited
  }
}

async function addressIn(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const bytes of stdout) {
    text += new TextDecoder().decode(bytes)
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`it ended before it served: ${text}`)
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
 * The home folder, where the program keeps its settings and sessions. It isn't the working folder, because programs
 * don't expect a project's files in a home folder.
 */
export function homeOf(folder: string): string {
  const home = join(folder, '.home')
  mkdirSync(home, { recursive: true })
  return home
}
