import {
  CLIENT,
  type HookEvent,
  type Parts,
  piecesFor,
  type ServerReach,
  type ToolEvent,
} from '../../clients/client.ts'
import { put } from '../../clients/edit.ts'
import { SERVER_SKILLS, SKILLS } from '../../clients/skills.gen.ts'
import { CLIENTS, type ClientName } from '../../core/clients/client.ts'
import type { Disk, FileEdit } from '../../core/disk.ts'
import { field, refuse } from '../../core/error.ts'
import { TOOL_SETS, USUAL_SETS } from '../../core/principal.ts'
import { makeKnown } from '../agents/introduce.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aRecord,
  aText,
  maybe,
} from '../kit/answer.ts'
import { byDefault, choice, choices, flag, type Input, name, path, required } from '../kit/field.ts'
import { SESSION_NAME } from '../kit/for-doors.ts'
import { type BareContext, PEOPLE } from '../kit/operation.ts'
import { type AtShell, command, type Shell } from '../kit/shell.ts'
import {
  type InstallReceipt,
  isSame,
  mustLieIn,
  notePath,
  openTexts,
  readReceipt,
  receiptPath,
  rootOf,
  type WrittenPiece,
} from './receipt.ts'
import { agentIn, checkServer, doorFor, SERVER_FIELDS, setsIn } from './server-address.ts'

const SCOPES = ['project', 'user'] as const

const FIELDS = {
  client: required(choice(CLIENTS, 'the program', { positional: true })),
  as: name(
    'the name under which its agent reads and writes; a second session at the same time is NAME-2',
    { leftOut: "the client's" },
  ),
  scope: byDefault(choice(SCOPES, 'for this folder, or for all your folders'), 'project'),
  ...SERVER_FIELDS,
  sets: choices(TOOL_SETS, 'the sets of tools it gets', { leftOut: 'all but workflow' }),
  was: path('where the folder was at the last install, if it has moved since'),
  no_hooks: flag('do not install hooks'),
  approvals: flag(
    'also install the hook that asks people before it uses a tool; for claude and codex',
  ),
  no_skills: flag('do not install skills'),
  dry_run: flag('only show what would be written'),
}

type InstallInput = Input<typeof FIELDS>

const CHANGE = aRecord('file', 'what was done to it', {
  file: aText('which'),
  did: aText<'made' | 'changed' | 'unchanged' | 'removed'>('made, changed, unchanged or removed'),
  text: maybe(aText('in a dry run: the new content')),
})

export type FileChange = AnswerRecord<typeof CHANGE>

export const INSTALLED = {
  client: aText<ClientName>('the program'),
  dry_run: aFlag('whether nothing was written'),
  files: aList(CHANGE, 'each file'),
  note: aText('what you still have to do by hand, or empty'),
  warning: maybe(aText('the agent’s earlier name here')),
}

export type InstallAnswer = AnswerOf<typeof INSTALLED>

export const install = command({
  name: 'install',
  example: 'install claude --as worker',
  summary: 'Connect an agent’s program: its tools, its skill, and hooks that show unread mail.',
  about:
    'Writes the entry for the tools, the skills and, if the program has hooks, two hooks: one shows unread mail when a turn begins, the other keeps the agent from stopping while there is new mail. The rest of each file is unchanged, including its comments and order. Refuses to replace an entry of the same name that it did not write. Installing again updates what install wrote; uninstall removes exactly that. With --approvals the program also asks before each use of a tool named in the agent policy; that stays until uninstall. Install also registers the agent and, in a project without a store, creates one.',
  fields: FIELDS,
  writes: 'store',
  callers: PEOPLE,
  refusals: ['invalid_input', 'invalid_state'],
  check(input) {
    checkServer(input)
    checkApprovals(input)
  },
  storeless: {
    when: isAlone,
    // A store made in the home folder would be used by every folder below it.
    makes: (input) => !isAlone(input) && input.scope === 'project',
    run: write,
  },
  async run(context, input): Promise<InstallAnswer> {
    const installed = await write(context, input)
    if (!isAlone(input)) {
      await makeKnown(context, agentOf(input), input.client)
    }
    return installed
  },
  answer: INSTALLED,
  async lines(answer) {
    const { drawFiles } = await import('./drawing.ts')
    return drawFiles(answer, { nothing: 'up to date', label: 'next' })
  },
})

function checkApprovals({ approvals, no_hooks, client, scope, url }: InstallInput): void {
  if (!approvals) return
  if (CLIENT[client].approvals === undefined)
    throw refuse.invalid_input`${field('approvals')} is for claude and codex: ${client} has no hook that can hold a call back`
  if (no_hooks)
    throw refuse.invalid_input`${field('approvals')} is a hook, and ${field('no_hooks')} leaves hooks alone; give one of them`
  if (scope === 'user' && url === undefined) {
    // In a folder without a store there's no one to ask, so every call would be denied.
    throw refuse.invalid_input`${field('approvals')} for all your folders needs ${field('url')}: in a folder without a store every call would be denied`
  }
}

/** Whether the call can do without a store, because it uses a server or writes nothing. */
function isAlone({ url, dry_run }: InstallInput): boolean {
  return url !== undefined || dry_run === true
}

async function write(context: AtShell<BareContext>, input: InstallInput): Promise<InstallAnswer> {
  const disk = await context.shell.disk()
  const program = await disk.program()
  const plan = () => planInstall(context, input, { disk, program })
  if (input.dry_run) return (await plan()).answer
  return disk.alone(notePath(disk), async (edit) => {
    const { answer, edits } = await plan()
    edit(edits)
    return answer
  })
}

type InstallPlan = { answer: InstallAnswer; edits: FileEdit[] }

/** Everything is prepared in memory first, so that one unreadable file leaves all files untouched. */
async function planInstall(
  context: AtShell<BareContext>,
  input: InstallInput,
  { disk, program }: { disk: Disk; program: readonly string[] },
): Promise<InstallPlan> {
  const { client, scope } = input
  const root = rootOf(disk, scope)
  const isThere = (file: string) => disk.read(`${root}/${file}`) !== null
  const store = storeFor(context.shell, input)
  const place = await receiptPath(context, disk, { client, scope })
  const oldPlace = await receiptPath(context, disk, { client, scope, was: input.was })
  const receipt = readReceipt(disk, oldPlace)
  const before = receipt?.pieces ?? []
  // Once installed, approvals stay until uninstall: an update must not drop the hook.
  const approvals = input.approvals === true || receipt?.approvals === true
  const hooks = !input.no_hooks
  const parts: Parts = { hooks, approvals: approvals && hooks, skills: !input.no_skills, isThere }
  const pieces = piecesFor(client, scope, wanted(program, input, store), parts)
  for (const { file } of pieces) mustLieIn(disk, root, file)
  const texts = openTexts(disk, root)
  const fresh: WrittenPiece[] = []
  for (const piece of pieces) {
    const old = before.filter((one) => isSame(one.piece, piece))
    const known = { before: old.map((one) => one.piece), parseToml: disk.parseToml }
    const edited = put(texts.read(piece.file), piece, known)
    texts.write(piece.file, edited.text)
    fresh.push({ piece, made: old[0]?.made ?? edited.made })
  }
  // Uninstall removes the pieces in reverse, so keep them in the order they were written, including any that only an
  // earlier install wrote.
  const rest = fresh.filter(({ piece }) => !before.some((one) => isSame(one.piece, piece)))
  const kept = before.map((one) => fresh.find(({ piece }) => isSame(one.piece, piece)) ?? one)
  const edits = texts.edits()
  const files: FileChange[] = edits.map(({ file, was, text }) => {
    const did = was === null ? 'made' : was === text ? 'unchanged' : 'changed'
    return { file, did, ...(input.dry_run ? { text: text ?? '' } : {}) }
  })
  const agent = agentOf(input)
  const written: InstallReceipt = {
    client,
    scope,
    agent,
    pieces: [...kept, ...rest],
    ...(approvals ? { approvals } : {}),
  }
  const receiptText = `${JSON.stringify(written, null, 2)}\n`
  const own = (path: string, text: string | null) => ({
    path,
    was: disk.read(path),
    text,
    root: disk.home,
  })
  edits.push({ file: '', ...own(place, receiptText) })
  if (oldPlace !== place) edits.push({ file: '', ...own(oldPlace, null) })
  const { note } = CLIENT[client]
  const warning = renamed(receipt?.agent, agent, input)
  const answer = { client, dry_run: input.dry_run === true, files, note, ...warning }
  return { answer, edits }
}

/** A program has one agent name per folder. If the name changes, a warning says how to keep both. */
function renamed(old: string | undefined, agent: string, { client, url }: InstallInput) {
  if (old === undefined || old === agent) return {}
  const both =
    url === undefined
      ? `a session that starts with INBOX_AGENT=${old} is ${old} as before`
      : `install ${old} in another folder to have both`
  return { warning: `${client} was ${old} here, and now is ${agent}; ${both}` }
}

function agentOf({ as, url, client }: InstallInput): string {
  return as ?? agentIn(url) ?? client
}

/** Flags for a store the caller named. A store that was found will be found again from the same folder. */
function storeFor({ named }: Pick<Shell, 'named'>, { url }: InstallInput): string[] {
  if (url !== undefined && named?.by === '--db')
    throw refuse.invalid_input`${field('db')} and ${field('url')} cannot be combined: a server has its own store`
  if (named === undefined || url !== undefined) return []
  if (/^postgres.*(:[^/@]*@|[?&]password=)/i.test(named.address))
    throw refuse.invalid_input`${named.by} holds a password, which would end up in files of the project: leave it out, and let the program find it in ~/.pgpass or PGPASSWORD`
  return ['--db', named.address]
}

function wanted(program: readonly string[], input: InstallInput, store: readonly string[]) {
  const agent = agentOf(input)
  const [command = 'inbox', ...words] = program
  const reach: ServerReach =
    input.url === undefined
      ? {
          command,
          args: [
            ...words,
            'mcp',
            ...store,
            SESSION_NAME.flag,
            agent,
            ...(input.sets === undefined ? [] : ['--sets', input.sets.join(',')]),
          ],
        }
      : {
          // A token identifies the agent. Without one, a server on this machine trusts the address.
          url: doorFor(input.url, {
            agent: input.token_variable === undefined ? agent : undefined,
            // Without sets in its address, a server offers only some of the tools.
            sets: input.sets ?? setsIn(input.url) ?? USUAL_SETS,
          }),
          tokenVariable: input.token_variable,
        }
  const hookWords = (operation: string, own: readonly string[]) => [
    ...program,
    operation,
    ...own,
    ...store,
    ...(input.url === undefined ? [] : ['--url', doorFor(input.url, {})]),
    ...(input.token_variable === undefined ? [] : ['--token-variable', input.token_variable]),
    // At a server, the address or the token determines the agent's name in every session.
    input.url === undefined ? SESSION_NAME.flag : '--agent',
    agent,
  ]
  // Skills that use commands would be wrong here: a command in the shell would open another store.
  const isElsewhere = input.url !== undefined || store.length > 0
  return {
    reach,
    hook: (event: HookEvent) => hookWords('hook', ['--client', input.client, '--event', event]),
    toolHook: (event: ToolEvent) => hookWords('tool-hook', ['--event', event]),
    skills: isElsewhere ? SERVER_SKILLS : SKILLS,
  }
}
