// The files that connect an agent's program to Mailroom, as data: which files, and which pieces of them. Each client is
// one entry. Nothing here touches a file; src/clients/edit.ts inserts and removes the pieces.

import type { ClientName } from '../core/clients/client.ts'
import { shellWord } from '../core/shell-word.ts'

/** A hook runs when a turn starts, and when the agent is about to stop. */
export const HOOK_EVENTS = ['start', 'stop'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]
/** The tool hook runs before each use of a tool, and replaces the client's own permission prompt. */
export const TOOL_EVENTS = ['use', 'permission'] as const
export type ToolEvent = (typeof TOOL_EVENTS)[number]

const SERVER_NAME = 'mailroom'

/** The client either starts Mailroom as a child process or connects to its server. */
export type ServerReach =
  | { command: string; args: string[] }
  /** The client reads the token from this variable; the token is never written into a file. */
  | { url: string; tokenVariable: string | undefined }

export type ClientSetup = {
  reach: ServerReach
  hook: (event: HookEvent) => string[]
  /** The command line of the hook that asks people for approval before a tool is used. */
  toolHook: (event: ToolEvent) => string[]
  skills: Readonly<Record<string, string>>
}

export type Scope = 'project' | 'user'

/** One piece of one file. Paths are relative to the scope's folder: the project folder or the home folder. */
export type Piece =
  | { file: string; put: string[]; value: unknown }
  /** An element of a list or, with `within`, of a list inside a group; `within` is the group's key for that list. */
  | { file: string; add: string[]; value: unknown; within?: string }
  /** A value that all entries under `by` need, ours and the user's. */
  | { file: string; need: string[]; value: unknown; by: string[] }
  /** A TOML table, as lines between two marks. */
  | { file: string; table: string[]; lines: string }
  /** A file that belongs to us entirely. */
  | { file: string; text: string }

type ClientProfile = {
  /** The path of each kind of file, for each scope. */
  files: Record<'config' | 'hooks' | 'skills', Record<Scope, string>>
  server: (file: string, reach: ServerReach) => Piece[]
  hooks: (file: string, hook: ClientSetup['hook']) => Piece[]
  /** The hook that asks people for approval before a tool is used, if the client supports one. */
  approvals?: (file: string, toolHook: ClientSetup['toolHook']) => Piece[]
  /** The client also reads its configuration from a .jsonc file of the same name. */
  readsJsonc?: true
  /** What the user still has to do. */
  note: string
}

const same = (path: string): Record<Scope, string> => ({ project: path, user: path })

export const CLIENT: Record<ClientName, ClientProfile> = {
  claude: {
    files: {
      config: { project: '.mcp.json', user: '.claude.json' },
      hooks: same('.claude/settings.json'),
      skills: same('.claude/skills'),
    },
    server: (file, reach) =>
      serverEntry(file, reach, {
        url: ({ url }, headers) => ({ type: 'http', url, ...headers }),
        command: (own) => ({ type: 'stdio', ...own }),
        spell: (name) => `\${${name}}`,
      }),
    hooks: (file, hook) => [
      commandHook(file, ['hooks', 'UserPromptSubmit'], hook('start')),
      commandHook(file, ['hooks', 'Stop'], hook('stop')),
    ],
    // By default, a hook that times out lets the call through.
    approvals: (file, toolHook) => [
      askingHook(file, 'PreToolUse', toolHook('use'), { timeout: 180, onFailure: 'block' }),
    ],
    note: 'restart Claude Code; it asks once whether it may use the tools of this project',
  },
  codex: {
    files: {
      config: same('.codex/config.toml'),
      hooks: same('.codex/hooks.json'),
      skills: same('.agents/skills'),
    },
    server: (file, reach) => [
      { file, table: ['mcp_servers', SERVER_NAME], lines: codexTable(reach) },
    ],
    hooks: (file, hook) => [
      commandHook(file, ['hooks', 'UserPromptSubmit'], hook('start')),
      commandHook(file, ['hooks', 'Stop'], hook('stop')),
    ],
    // Codex lets a call through if its hook takes too long, so the hook gets plenty of time.
    approvals: (file, toolHook) => [
      askingHook(file, 'PreToolUse', toolHook('use'), { timeout: 3600 }),
      askingHook(file, 'PermissionRequest', toolHook('permission'), { timeout: 3600 }),
    ],
    note: 'restart Codex; it reads these files once you trust the project, and asks before it first runs a hook',
  },
  cursor: {
    files: {
      config: same('.cursor/mcp.json'),
      hooks: same('.cursor/hooks.json'),
      skills: same('.cursor/skills'),
    },
    server: (file, reach) =>
      serverEntry(file, reach, {
        url: ({ url }, headers) => ({ url, ...headers }),
        spell: (name) => `\${env:${name}}`,
      }),
    // Cursor lets a hook add text at the start of a session, but not to a prompt.
    hooks: (file, hook) => [
      { file, need: ['version'], value: 1, by: ['hooks'] },
      lineHook(file, ['hooks', 'sessionStart'], hook('start'), {}),
      lineHook(file, ['hooks', 'stop'], hook('stop'), { loop_limit: 5 }),
    ],
    note: 'restart Cursor, and check in its settings that the mailroom tools are on',
  },
  gemini: {
    files: {
      config: same('.gemini/settings.json'),
      hooks: same('.gemini/settings.json'),
      skills: same('.gemini/skills'),
    },
    server: (file, reach) =>
      serverEntry(file, reach, {
        url: ({ url: httpUrl }, headers) => ({ httpUrl, ...headers }),
        spell: (name) => `\${${name}}`,
      }),
    hooks: (file, hook) => [
      commandHook(file, ['hooks', 'BeforeAgent'], hook('start')),
      commandHook(file, ['hooks', 'AfterAgent'], hook('stop')),
    ],
    note: 'restart Gemini CLI; it reads these files once you trust the folder',
  },
  opencode: {
    files: {
      config: { project: 'opencode.json', user: '.config/opencode/opencode.json' },
      hooks: { project: '.opencode/plugins', user: '.config/opencode/plugins' },
      skills: { project: '.opencode/skills', user: '.config/opencode/skills' },
    },
    server: (file, reach) =>
      serverEntry(file, reach, {
        under: 'mcp',
        url: ({ url }, headers) => ({
          type: 'remote',
          url,
          ...headers,
          oauth: false,
          enabled: true,
        }),
        command: ({ command, args }) => ({
          type: 'local',
          command: [command, ...args],
          enabled: true,
        }),
        spell: (name) => `{env:${name}}`,
      }),
    // Opencode has no hooks that run a command line, but it runs plugins.
    hooks: (folder, hook) => [{ file: `${folder}/${SERVER_NAME}.js`, text: plugin(hook) }],
    readsJsonc: true,
    note: 'restart opencode',
  },
}

export function piecesFor(
  name: ClientName,
  scope: Scope,
  wanted: ClientSetup,
  parts: Parts,
): Piece[] {
  const { files, server, hooks, approvals, readsJsonc } = CLIENT[name]
  const usual = files.config[scope]
  const isOther = readsJsonc && !parts.isThere?.(usual) && parts.isThere?.(`${usual}c`)
  return [
    ...server(isOther ? `${usual}c` : usual, wanted.reach),
    ...(parts.hooks ? hooks(files.hooks[scope], wanted.hook) : []),
    ...(parts.approvals ? (approvals?.(files.hooks[scope], wanted.toolHook) ?? []) : []),
    ...(parts.skills
      ? Object.entries(wanted.skills).map(([skill, text]) => ({
          file: `${files.skills[scope]}/${skill}/SKILL.md`,
          text,
        }))
      : []),
  ]
}

export type Parts = {
  hooks: boolean
  approvals: boolean
  skills: boolean
  /** Whether the user has this file. */
  isThere?: (file: string) => boolean
}

type RemoteReach = Extract<ServerReach, { url: string }>
type ServerForm = {
  under?: string
  url: (reach: RemoteReach, headers: object) => object
  command?: (reach: Exclude<ServerReach, RemoteReach>) => object
  /** Writes a reference to a variable in the syntax that the client expands. */
  spell: (name: string) => string
}

/** Our server's entry in the client's list of servers, in the form the client expects. */
function serverEntry(file: string, reach: ServerReach, form: ServerForm): Piece[] {
  const put = [form.under ?? 'mcpServers', SERVER_NAME]
  if (!('url' in reach)) return [{ file, put, value: form.command?.(reach) ?? reach }]
  const { tokenVariable: name } = reach
  const bearer = { headers: { Authorization: `Bearer ${form.spell(name ?? '')}` } }
  return [{ file, put, value: form.url(reach, name === undefined ? {} : bearer) }]
}

/** These clients keep hooks in groups; ours gets its own group. */
function commandHook(file: string, add: string[], words: string[]): Piece {
  const value = { type: 'command', command: commandLine(words) }
  return { file, add, within: 'hooks', value }
}

/**
 * Clients deny a call if its hook exits with 2 and a reason. A program that is missing, killed or unable to open its
 * store must have the same result.
 */
function askingHook(file: string, event: string, words: string[], more: object): Piece {
  const otherwise = `{ echo 'Mailroom: approval could not be requested, so this call is denied. Tell the user.' >&2; exit 2; }`
  const command = `${commandLine(words)} || ${otherwise}`
  const value = { type: 'command', command, ...more }
  return { file, add: ['hooks', event], within: 'hooks', value }
}

function lineHook(file: string, add: string[], words: string[], more: object): Piece {
  return { file, add, value: { command: commandLine(words), ...more } }
}

/** Clients run the line in a shell. */
function commandLine(words: string[]): string {
  return words.map(shellWord).join(' ')
}

function codexTable(reach: ServerReach): string {
  const text = (value: string) => JSON.stringify(value)
  const lines =
    'url' in reach
      ? [
          `url = ${text(reach.url)}`,
          ...(reach.tokenVariable === undefined
            ? []
            : [`bearer_token_env_var = ${text(reach.tokenVariable)}`]),
        ]
      : [`command = ${text(reach.command)}`, `args = [${reach.args.map(text).join(', ')}]`]
  // A waiting tool returns within 45 seconds. The extra time allows for a slow start.
  return [`[mcp_servers.${SERVER_NAME}]`, ...lines, 'tool_timeout_sec = 120'].join('\n')
}

function plugin(hook: ClientSetup['hook']): string {
  const words = (event: HookEvent) => JSON.stringify(hook(event))
  return `// Written by 'inbox install opencode'; 'inbox uninstall opencode' removes it.
// Shows unread mail with a prompt, and continues if there is new mail at the end of a turn.
import { execFileSync } from 'node:child_process'

function mail(session_id, [program, ...words]) {
  const input = JSON.stringify({ session_id })
  try {
    return JSON.parse(execFileSync(program, words, { input, timeout: 10000 }).toString() || '{}')
  } catch {
    return {}
  }
}

// The most turns in a row that this plugin may start.
const MOST = 5
const begun = new Map()
const ours = new Set()

export const Mailroom = async ({ client }) => ({
  'chat.message': async ({ sessionID }, output) => {
    if (!ours.delete(sessionID)) begun.delete(sessionID)
    const { text } = mail(sessionID, ${words('start')})
    const first = output.parts.find((part) => part.type === 'text')
    if (text && first) first.text += '\\n\\n' + text
  },
  event: async ({ event }) => {
    if (event.type !== 'session.idle') return
    const id = event.properties.sessionID
    const count = begun.get(id) ?? 0
    if (count >= MOST) return
    const { text } = mail(id, ${words('stop')})
    if (!text) return
    begun.set(id, count + 1)
    ours.add(id)
    await client.session.prompt({ path: { id }, body: { parts: [{ type: 'text', text }] } })
  },
})
`
}
