// What an agent's program must be told to use Mailroom, as data: which files, and what in them. One entry
// a client. Nothing here touches a file; src/clients/edit.ts turns a piece into text and back.

import type { ClientName } from '../core/clients/client.ts'
import { shellWord } from '../core/shell-word.ts'

/** At the start of a turn, and when the agent is about to stop. */
export const HOOK_EVENTS = ['start', 'stop'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

const SERVER_NAME = 'mailroom'

/** How the program is reached: as a child of the client, or a server somewhere. */
export type Reach =
  | { command: string; args: string[] }
  /** The token is read by the client from this variable; it is never written into a file. */
  | { url: string; tokenVariable: string | undefined }

export type Wanted = {
  reach: Reach
  /** The words of the hook for an event, for a client that runs a command line. */
  hook: (event: HookEvent) => string[]
  skills: Readonly<Record<string, string>>
}

export type Scope = 'project' | 'user'

/** One thing in one file. Paths are from the scope's folder: the project's, or the home folder. */
export type Piece =
  /** A value under a key. */
  | { file: string; put: string[]; value: unknown }
  /** An element of a list; or of the list under `within` in one of its elements. */
  | { file: string; add: string[]; value: unknown; within?: string }
  /** A value that must be there: not ours alone, but of all that is at `by`. */
  | { file: string; need: string[]; value: unknown; by: string[] }
  /** A table of TOML, as lines between two marks. */
  | { file: string; table: string[]; lines: string }
  /** A file that is all ours. */
  | { file: string; text: string }

type Client = {
  /** Where things are kept, in the project and for the user. */
  files: Record<'config' | 'hooks' | 'skills', Record<Scope, string>>
  server: (file: string, reach: Reach) => Piece[]
  hooks: (file: string, hook: Wanted['hook']) => Piece[]
  /** It also reads its configuration from a file of the same name that ends in jsonc. */
  readsJsonc?: true
  /** What the user has yet to do. */
  note: string
}

const same = (path: string): Record<Scope, string> => ({ project: path, user: path })

export const CLIENT: Record<ClientName, Client> = {
  claude: {
    files: {
      config: { project: '.mcp.json', user: '.claude.json' },
      hooks: same('.claude/settings.json'),
      skills: same('.claude/skills'),
    },
    server: (file, reach) => [
      {
        file,
        put: ['mcpServers', SERVER_NAME],
        value:
          'url' in reach
            ? {
                type: 'http',
                url: reach.url,
                ...bearer(reach.tokenVariable, (name) => `\${${name}}`),
              }
            : { type: 'stdio', ...reach },
      },
    ],
    hooks: (file, hook) => [
      commandHook(file, ['hooks', 'UserPromptSubmit'], hook('start')),
      commandHook(file, ['hooks', 'Stop'], hook('stop')),
    ],
    note: 'start claude anew: it asks once whether it may use the tools of a project',
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
    note: 'start codex anew: it reads a project’s files once the project is trusted, and asks before it first runs a hook',
  },
  cursor: {
    files: {
      config: same('.cursor/mcp.json'),
      hooks: same('.cursor/hooks.json'),
      skills: same('.cursor/skills'),
    },
    server: (file, reach) => [
      {
        file,
        put: ['mcpServers', SERVER_NAME],
        value:
          'url' in reach
            ? { url: reach.url, ...bearer(reach.tokenVariable, (name) => `\${env:${name}}`) }
            : reach,
      },
    ],
    // A prompt cannot be added to there; the start of a session can.
    hooks: (file, hook) => [
      { file, need: ['version'], value: 1, by: ['hooks'] },
      lineHook(file, ['hooks', 'sessionStart'], hook('start'), {}),
      lineHook(file, ['hooks', 'stop'], hook('stop'), { loop_limit: 5 }),
    ],
    note: 'start cursor anew, and see in its settings whether the tools of mailroom are on',
  },
  gemini: {
    files: {
      config: same('.gemini/settings.json'),
      hooks: same('.gemini/settings.json'),
      skills: same('.gemini/skills'),
    },
    server: (file, reach) => [
      {
        file,
        put: ['mcpServers', SERVER_NAME],
        value:
          'url' in reach
            ? { httpUrl: reach.url, ...bearer(reach.tokenVariable, (name) => `\${${name}}`) }
            : reach,
      },
    ],
    hooks: (file, hook) => [
      commandHook(file, ['hooks', 'BeforeAgent'], hook('start')),
      commandHook(file, ['hooks', 'AfterAgent'], hook('stop')),
    ],
    note: 'start gemini anew: it reads a project’s files once the folder is trusted',
  },
  opencode: {
    files: {
      config: { project: 'opencode.json', user: '.config/opencode/opencode.json' },
      hooks: { project: '.opencode/plugins', user: '.config/opencode/plugins' },
      skills: { project: '.opencode/skills', user: '.config/opencode/skills' },
    },
    server: (file, reach) => [
      {
        file,
        put: ['mcp', SERVER_NAME],
        value:
          'url' in reach
            ? {
                type: 'remote',
                url: reach.url,
                ...bearer(reach.tokenVariable, (name) => `{env:${name}}`),
                oauth: false,
                enabled: true,
              }
            : { type: 'local', command: [reach.command, ...reach.args], enabled: true },
      },
    ],
    // It has no hooks that run a command line, but runs plugins.
    hooks: (folder, hook) => [{ file: `${folder}/${SERVER_NAME}.js`, text: plugin(hook) }],
    readsJsonc: true,
    note: 'start opencode anew',
  },
}

export function piecesFor(name: ClientName, scope: Scope, wanted: Wanted, parts: Parts): Piece[] {
  const { files, server, hooks, readsJsonc } = CLIENT[name]
  const usual = files.config[scope]
  const isOther = readsJsonc && !parts.isThere?.(usual) && parts.isThere?.(`${usual}c`)
  return [
    ...server(isOther ? `${usual}c` : usual, wanted.reach),
    ...(parts.hooks ? hooks(files.hooks[scope], wanted.hook) : []),
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
  skills: boolean
  /** Which files the user has. */
  isThere?: (file: string) => boolean
}

function bearer(variable: string | undefined, spell: (name: string) => string) {
  return variable === undefined ? {} : { headers: { Authorization: `Bearer ${spell(variable)}` } }
}

/** There a hook is one of a group; ours begins with a group of its own. */
function commandHook(file: string, add: string[], words: string[]): Piece {
  const value = { type: 'command', command: commandLine(words) }
  return { file, add, within: 'hooks', value }
}

function lineHook(file: string, add: string[], words: string[], more: object): Piece {
  return { file, add, value: { command: commandLine(words), ...more } }
}

/** Clients give it to a shell. */
function commandLine(words: string[]): string {
  return words.map(shellWord).join(' ')
}

function codexTable(reach: Reach): string {
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
  // A waiting tool answers within 45 seconds; the rest is for a slow start.
  return [`[mcp_servers.${SERVER_NAME}]`, ...lines, 'tool_timeout_sec = 120'].join('\n')
}

function plugin(hook: Wanted['hook']): string {
  const words = (event: HookEvent) => JSON.stringify(hook(event))
  return `// Written by 'inbox install opencode'; 'inbox uninstall opencode' removes it.
// Shows unread mail with a prompt, and goes on when there is new mail at the end of a turn.
import { execFileSync } from 'node:child_process'

function mail(session_id, [program, ...words]) {
  const input = JSON.stringify({ session_id })
  try {
    return JSON.parse(execFileSync(program, words, { input, timeout: 10000 }).toString() || '{}')
  } catch {
    return {}
  }
}

// Turns in a row that nobody but this began: at most so many.
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
