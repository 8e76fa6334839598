// The rooms, and which may import which. Denied by default: any import without a line here is a violation. The check
// fails if it reads no files, because otherwise it would pass without checking anything.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { COMPUTED, type ImportFact, type ModuleFacts, readFacts } from './module-facts.ts'

type Room = {
  /** Rooms it may import besides itself. */
  rooms: string[]
  /** Rooms it may import types from. */
  types?: string[]
  /** External modules; `node:fs` includes `node:fs/promises`, `pg` includes `pg/lib`. */
  outside: string[]
}

const ALL = ['*']

const ROOMS: Record<string, Room> = {
  core: { rooms: [], outside: [] },
  store: { rooms: ['core'], outside: ['node:sqlite', 'node:fs', 'node:path', 'node:timers', 'pg'] },
  wake: { rooms: ['core'], outside: ['node:fs', 'node:timers', 'croner'] },
  clients: { rooms: ['core'], outside: ['jsonc-parser'] },
  ops: { rooms: ['core', 'wake', 'workflows', 'clients'], outside: [] },
  workflows: { rooms: ['core', 'wake', 'backends'], outside: ['node:fs', 'node:path', 'yaml'] },
  backends: {
    rooms: ['core', 'wake', 'clients'],
    outside: [
      'node:child_process',
      'node:fs',
      'node:path',
      'node:stream',
      'ai',
      '@ai-sdk/mcp',
      '@ai-sdk/anthropic',
      '@ai-sdk/openai-compatible',
    ],
  },
  'doors/cli': { rooms: ['ops', 'core'], outside: ['node:fs'] },
  'doors/mcp': { rooms: ['ops', 'core'], outside: ['@modelcontextprotocol/server'] },
  'doors/http': { rooms: ['ops', 'core'], outside: ['graphql'] },
  web: {
    // Core is pure, so pages can use it too: there is only one diff and one table of statuses.
    rooms: ['core'],
    types: ['ops'],
    outside: [
      'react',
      'react-dom',
      '@tanstack/react-router',
      '@tanstack/react-query',
      'lucide-react',
      'marked',
      'highlight.js',
      'diff',
    ],
  },
  bin: { rooms: ALL, outside: ALL },
  'index.ts': { rooms: ALL, outside: ALL },
}

const CORE_LAYERS = [
  ['agents'],
  ['threads'],
  ['inbox'],
  ['mail'],
  ['clients'],
  ['pushes'],
  ['requests'],
  ['desk'],
  ['workflows'],
  ['waking'],
  ['identity'],
  ['keeping'],
  ['server'],
]
const SUBJECTS = CORE_LAYERS.flat()

/**
 * The subjects inside a room, in layers: a file may load its own subject and those of the layers before it, so no two
 * subjects load each other. Types cost nothing and can be imported from anywhere. Files at the root of a room join the
 * subjects: they may load any of them, and any of them may load those files. The subjects of a door can't load each
 * other. A subject is a folder of the room, or of a folder in it.
 */
const LAYERS: Record<string, string[][]> = {
  core: CORE_LAYERS,
  store: [...CORE_LAYERS, ['sqlite', 'postgres']],
  ops: [
    ['kit'],
    ['inbox'],
    ['agents'],
    ['threads'],
    ['mail'],
    ['identity'],
    ['pushes'],
    ['requests'],
    ['desk'],
    ['workflows'],
    ['waking'],
    ['keeping'],
    ['server'],
    ['clients'],
  ],
  'doors/cli': [SUBJECTS],
  'doors/mcp': [SUBJECTS],
  web: [
    ['seen'],
    ['ui', 'api'],
    ['live'],
    ['shell'],
    // The viewers of single items, which every screen may open.
    ['items/status'],
    ['items/documents'],
    ['items/thread'],
    ['items/agent'],
    ['items/push'],
    ['items/work'],
    ['items/request'],
    ['items/channel'],
    [
      'screens/inbox',
      'screens/approvals',
      'screens/threads',
      'screens/channels',
      'screens/agents',
      'screens/history',
      'screens/notifications',
      'screens/settings',
      'screens/trash',
    ],
  ],
}

/** Unit tests are next to the source. They may import from the same rooms, plus what a test needs. */
const TEST_OUTSIDE = ['bun:test', 'fast-check', 'node:*']

/** Globals that only `bin` may read. */
const ROOT_ONLY = ['process', 'Bun', 'require']

/** Core only computes. Time, randomness, the network and the terminal must be passed in as arguments. */
const NOT_IN_CORE = [
  'Date.now',
  'new Date()',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'Math.random',
  'crypto',
  'fetch',
  'console',
  'WebSocket',
  'Worker',
]

/**
 * Start-up costs, in milliseconds above an empty program of about 4. Every agent hook and every shell call pays them,
 * so no code that loads with the program may import these; a lazily imported module may.
 */
const HEAVY_IMPORTS: Record<string, string> = {
  'node:crypto': '3.5 ms; web crypto takes 1',
  'node:http': '6 ms',
  'node:https': '6 ms; it loads node:http',
  'node:net': '3 ms',
  'node:util': '2.3 ms',
  'node:child_process': '2 ms',
  pg: 'it loads node:net and node:crypto',
  zod: '5 to 17 ms',
  croner: 'only who has a cron line needs it',
  '@modelcontextprotocol/server': 'it loads zod; only mcp and serve need it',
  ai: '120 ms; only a turn of the backend sdk needs it',
  '@ai-sdk/mcp': 'only a turn of the backend sdk needs it',
  '@ai-sdk/anthropic': 'only a turn of the backend sdk needs it',
  '@ai-sdk/openai-compatible': 'only a turn of the backend sdk needs it',
  yaml: 'only who reads a workflow file needs it',
  graphql: '20 ms; only who asks a server at /graphql needs it',
}
const HEAVY_NAMES: Record<string, string> = {
  'process.stdout': '10 ms; write to file descriptor 1 instead',
  Intl: '8 ms',
}

/** Everything that this file reaches through static imports loads with the program. */
const COMMAND = 'bin/main.ts'

/** `arrows` counts the imports between subjects. If it is 0, the check did nothing. */
export type RoomsReport = { files: number; arrows: number; violations: string[] }

export function checkRooms(src: string): RoomsReport {
  const paths = sourceFiles(src)
  const modules = new Map(
    paths.map((path) => [path, readFacts(path, readFileSync(join(src, path), 'utf8'))]),
  )
  const violations: string[] = []
  let arrows = 0
  if (paths.length === 0) violations.push('no source files found: wrong folder?')
  const onCommandPath = reachable(COMMAND, modules)
  for (const [path, facts] of modules) {
    const say = (line: number, text: string) => violations.push(`src/${path}:${line} ${text}`)
    const room = roomOf(path)
    if (!room) {
      say(1, `is in no room; the rooms are ${Object.keys(ROOMS).join(', ')}`)
      continue
    }
    const subject = subjectOf(path, room)
    if (subject !== undefined && layerOf(room, subject) < 0) {
      say(1, `is in no subject; the subjects of ${room} are ${LAYERS[room]?.flat().join(', ')}`)
      continue
    }
    for (const fact of facts.imports) {
      const refusal = refuseImport(src, path, room, fact) ?? refuseArrow(path, room, fact)
      if (refusal) say(fact.line, refusal)
      if (isArrow(path, room, fact)) arrows += 1
    }
    if (isTest(path)) continue
    for (const { name, line } of facts.names) {
      if (room !== 'bin' && ROOT_ONLY.includes(name)) say(line, `reads ${name}; only bin may`)
      if (room === 'core' && NOT_IN_CORE.includes(name)) say(line, `reads ${name}; core may not`)
    }
    for (const line of facts.topLevelAwait)
      say(line, 'awaits at top level; one that never settles spins a core')
    if (onCommandPath.has(path))
      for (const { what, cost, line } of heavyUses(facts))
        say(line, `loads ${what} with every command (${cost}); import it lazily`)
  }
  for (const cycle of cycles(modules)) violations.push(`import cycle: ${cycle.join(' -> ')}`)
  return { files: paths.length, arrows, violations }
}

function sourceFiles(src: string): string[] {
  if (!existsSync(src)) return []
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .sort()
}

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((room) => path === room || path.startsWith(`${room}/`))
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

function refuseImport(
  src: string,
  path: string,
  roomName: string,
  fact: ImportFact,
): string | undefined {
  const room = ROOMS[roomName]
  if (!room || room.outside === ALL) return undefined
  if (fact.to === COMPUTED) return 'imports a computed path; nobody can check it'

  if (!fact.to.startsWith('.')) {
    const allowed = isTest(path) ? [...room.outside, ...TEST_OUTSIDE] : room.outside
    return allowed.some((module) => covers(module, fact.to))
      ? undefined
      : `imports ${fact.to}; ${roomName} may import ${list(room.outside)} from outside`
  }

  const target = targetOf(path, fact.to)
  if (target.startsWith('..')) return `imports ${fact.to}, which lies outside src`
  if (!existsSync(join(src, target))) return `imports ${fact.to}, which does not exist`
  if (isTest(target)) return `imports the test ${fact.to}`
  const to = roomOf(target)
  if (to === roomName || (to && room.rooms.includes(to))) return undefined
  if (to && fact.kind === 'type' && room.types?.includes(to)) return undefined
  return `imports ${fact.to}; ${roomName} may import ${list(room.rooms)} and not ${to}`
}

/** Undefined for a file at the root of its room, or in a room without subjects. */
function subjectOf(path: string, room: string): string | undefined {
  const layers = LAYERS[room]
  if (layers === undefined) return undefined
  const inRoom = path.slice(room.length + 1)
  const known = layers.flat().find((subject) => inRoom.startsWith(`${subject}/`))
  const [folder, ...rest] = inRoom.split('/')
  return known ?? (rest.length === 0 ? undefined : folder)
}

function layerOf(room: string, subject: string): number {
  return LAYERS[room]?.findIndex((layer) => layer.includes(subject)) ?? -1
}

/** Whether a non-type import goes from one subject of a room to another. */
function isArrow(path: string, room: string, fact: ImportFact): boolean {
  if (fact.kind === 'type' || !fact.to.startsWith('.')) return false
  const target = targetOf(path, fact.to)
  const [from, to] = [subjectOf(path, room), subjectOf(target, room)]
  return roomOf(target) === room && from !== undefined && to !== undefined && from !== to
}

function refuseArrow(path: string, room: string, fact: ImportFact): string | undefined {
  // A test may import what the code it tests may not.
  if (isTest(path) || !isArrow(path, room, fact)) return undefined
  const [from, to] = [subjectOf(path, room), subjectOf(targetOf(path, fact.to), room)] as string[]
  if (layerOf(room, to as string) < layerOf(room, from as string)) return undefined
  const before = LAYERS[room]?.slice(0, layerOf(room, from as string)).flat() ?? []
  return `imports ${fact.to}; in ${room} ${from} may load ${list(before)} and not ${to}`
}

function covers(module: string, name: string): boolean {
  if (module === 'node:*') return name.startsWith('node:')
  return name === module || name.startsWith(`${module}/`)
}

function list(names: string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ')
}

function targetOf(path: string, to: string): string {
  return posix.join(posix.dirname(path), to)
}

function heavyUses(facts: ModuleFacts): { what: string; cost: string; line: number }[] {
  const imports = facts.imports.flatMap(({ to, kind, line }) => {
    const found = Object.entries(HEAVY_IMPORTS).find(([module]) => covers(module, to))
    return found && kind === 'static' ? [{ what: found[0], cost: found[1], line }] : []
  })
  const names = facts.names.flatMap(({ name, line }) => {
    const cost = HEAVY_NAMES[name]
    return cost ? [{ what: name, cost, line }] : []
  })
  return [...imports, ...names]
}

function staticTargets(path: string, facts: ModuleFacts): string[] {
  return facts.imports
    .filter((fact) => fact.kind === 'static' && fact.to.startsWith('.'))
    .map((fact) => targetOf(path, fact.to))
}

/** All files that load with `start`, or all files if that one doesn't exist. */
function reachable(start: string, modules: Map<string, ModuleFacts>): Set<string> {
  if (!modules.has(start)) return new Set(modules.keys())
  const seen = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const facts = modules.get(path)
    if (!facts || seen.has(path)) continue
    seen.add(path)
    open.push(...staticTargets(path, facts))
  }
  return seen
}

/** Finds one example cycle for each group of files that need one another to load. */
function cycles(modules: Map<string, ModuleFacts>): string[][] {
  const found: string[][] = []
  const finished = new Set<string>()
  const walk = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path])
    const facts = modules.get(path)
    if (start >= 0 || !facts || finished.has(path)) return
    for (const target of staticTargets(path, facts)) walk(target, [...trail, path])
    finished.add(path)
  }
  for (const path of modules.keys()) walk(path, [])
  return found
}

if (import.meta.main) {
  const { files, arrows, violations } = checkRooms(join(import.meta.dirname, '..', 'src'))
  if (arrows === 0) violations.push('no import between subjects found: wrong folder?')
  for (const violation of violations) console.error(violation)
  console.log(
    `rooms: ${files} files, ${arrows} imports between subjects, ${violations.length} violations`,
  )
  process.exitCode = violations.length > 0 ? 1 : 0
}
