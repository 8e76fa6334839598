// Faults that a test should notice: each takes a guard away or turns a condition round. They are spread over the
// doors, because that is where proving a sentence by the rule differs from proving it in full; those in core, ops
// and store are there to see that nothing is lost where it should not be.

import type { Mutation } from '../test/faults/guards/mutant.ts'

export type Mutant = Mutation & {
  name: string
  /** The only world that it can show in; otherwise it shows everywhere. Of the shell one engine will do. */
  world?: string
  /** The subjects whose sentences are about it; otherwise all are tried. */
  subjects?: string[]
}

const RUN = 'doors/cli/run.ts'
const PRINT = 'doors/cli/print.ts'
const ARGV = 'doors/cli/argv.ts'
const ROUTE = 'doors/http/ops-route.ts'
const TOOL = 'doors/mcp/run-tool.ts'
const AUTHORISE = 'ops/kit/authorise.ts'

const SHELL: Mutant[] = [
  {
    name: 'shell: coming back empty-handed is exit 0',
    file: RUN,
    guard: 'return op.nothing?.(result) ? EMPTY_HANDED : 0',
    without: 'return 0',
  },
  {
    name: 'shell: a bad finding is exit 0',
    file: RUN,
    guard: 'if (verdict !== undefined) return CODES[verdict].exit',
    without: '',
  },
  {
    name: 'shell: what was shown is never settled',
    file: RUN,
    guard: 'isTaken ? afterAnswer() : drop()',
    without: 'drop()',
  },
  {
    name: 'shell: INBOX_AGENT is not read',
    file: RUN,
    guard: "flags.get('--agent')?.[0] ?? io.env.agent",
    without: "flags.get('--agent')?.[0]",
  },
  {
    name: 'shell: a refusal has no details',
    file: PRINT,
    guard: 'const error = { code, message, ...refusal?.details }',
    without: 'const error = { code, message }',
  },
  {
    name: 'shell: a signal does not end a wait in good order',
    file: RUN,
    guard: 'op.blocks ? io.onInterrupt() : NEVER',
    without: 'NEVER',
  },
  {
    name: 'shell: a look makes the store',
    file: RUN,
    guard: 'mayMakeStore(op, input) ? io.open : io.lookAt',
    without: 'mayMakeStore(op, input) ? io.open : io.open',
  },
  {
    name: 'shell: a switch is not heard',
    file: ARGV,
    guard: 'flags.has(flag) ? true : undefined',
    without: 'undefined',
  },
  {
    name: 'shell: of a list only the first is heard',
    file: ARGV,
    guard: 'const given = [...(flags.get(flag) ?? []), ',
    without: 'const given = [...(flags.get(flag) ?? []).slice(0, 1), ',
  },
  {
    name: 'shell: every artifact has the kind of the first',
    file: ARGV,
    guard: "flags.get('--artifact-kind')?.[i]",
    without: "flags.get('--artifact-kind')?.[0]",
  },
  {
    name: 'shell: a value ends at its second =',
    file: ARGV,
    guard: 'word.slice(equals + 1)',
    without: "word.slice(equals + 1).split('=')[0]",
  },
  {
    name: 'shell: an agent by position is also who calls',
    file: ARGV,
    guard: "if (word === undefined || kind === 'self') return word !== undefined",
    without: 'if (word === undefined) return false',
  },
  {
    name: 'shell: the word none takes nothing back',
    file: 'ops/kit/read-input.ts',
    guard: "(said === null || given === 'none')",
    without: '(said === null)',
  },
  {
    name: 'shell: an export is cut short',
    file: 'doors/cli/files.ts',
    guard: 'io.out(visible(text))',
    without: 'io.out(text.slice(0, 4000))',
  },
]

const HTTP: Mutant[] = [
  {
    name: 'http: the header with the key is not read',
    file: ROUTE,
    guard: 'return { ...raw, idempotency_key: key }',
    without: 'return raw',
  },
  {
    name: 'http: what was shown is never settled',
    file: ROUTE,
    guard: 'isTaken ? afterAnswer() : drop()',
    without: 'drop()',
  },
  {
    name: 'http: a wait that was not asked for is begun',
    file: ROUTE,
    guard: 'if (asked === undefined && !isWait) return raw',
    without: '',
  },
  {
    name: 'http: a refusal has no details',
    file: 'doors/http/handle.ts',
    guard: 'message: refusal.inWords(makeHttpWords(seen.names)), details })',
    without: 'message: refusal.inWords(makeHttpWords(seen.names)), details: {} })',
  },
  {
    name: 'http: an agent counts as a person',
    file: 'doors/http/identity.ts',
    guard: "{ kind: 'agent', name: agent, proof: 'socket' }",
    without: "{ kind: 'person', name: agent, proof: 'socket' }",
  },
  {
    name: 'http: what is for people is for anybody',
    file: AUTHORISE,
    guard: '!op.callers.includes(kind)',
    without: 'false',
  },
]

const MCP: Mutant[] = [
  {
    name: 'mcp: a key is not passed on',
    file: TOOL,
    guard: "if (name === 'idempotency_key') raw[name] = value\n    else if",
    without: "if (name === 'idempotency_key') continue\n    else if",
  },
  {
    name: 'mcp: an argument that says the opposite is taken as it is',
    file: TOOL,
    guard: 'return !value',
    without: 'return value',
  },
  {
    name: 'mcp: a number does not do for a text',
    file: TOOL,
    guard: "if (arg.orNumber && typeof value === 'number') return String(value)",
    without: '',
  },
  {
    name: 'mcp: a field has the name of its argument',
    file: TOOL,
    guard: 'raw[arg.field ?? name] = value',
    without: 'raw[name] = value',
  },
  {
    name: 'mcp: nothing stands in for what was left out',
    file: TOOL,
    guard: 'return beside !== undefined && isLeftOut(args[beside]) ? undefined : value',
    without: 'return undefined',
  },
  {
    name: 'mcp: a wait may be shorter and longer than it should',
    file: TOOL,
    guard: 'return Math.min(most, Math.max(least, value))',
    without: 'return value',
  },
  {
    name: 'mcp: what was shown is never settled',
    file: 'doors/mcp/call-tool.ts',
    guard: 'else owe(id, called)',
    without: 'else void owe',
  },
  {
    name: 'mcp: a refusal has no details',
    file: 'doors/mcp/answer.ts',
    guard: '    ...spellDetails(set, open),\n',
    without: '',
  },
]

const INSIDE: Mutant[] = [
  {
    name: 'nobody hears the word to stop',
    file: 'ops/call.ts',
    guard: '!hearer || notStopped === hearer.agent ? result',
    without: 'agent !== null ? result',
    subjects: ['threads', 'mail'],
  },
  {
    name: 'a refusal does not carry the word to stop',
    file: 'ops/call.ts',
    guard: 'if (told === undefined || !(error instanceof Refusal)) throw error',
    without: 'if (error) throw error',
    subjects: ['threads', 'mail'],
  },
  {
    name: 'what was shown counts as shown by the library',
    file: 'ops/answer-notes.ts',
    guard: 'present(context, told.agent, [item], context.door)',
    without: "present(context, told.agent, [item], 'library')",
    subjects: ['threads', 'mail', 'inbox'],
  },
  {
    name: 'a lease is live at the moment it expires',
    file: 'core/threads/lease.ts',
    guard: 'lease.released_at === null && now < lease.expires_at',
    without: 'lease.released_at === null && now <= lease.expires_at',
    subjects: ['threads'],
  },
  {
    name: 'any token will do',
    file: 'core/threads/lease.ts',
    guard: 'lease.lease_token === who.token',
    without: 'lease.lease_token !== undefined',
    subjects: ['threads'],
  },
  {
    name: 'a key may be used for another request',
    file: 'store/idempotency.ts',
    guard: 'row.request_hash !== idempotency.requestHash',
    without: "row.request_hash === ''",
    subjects: ['threads', 'mail', 'identity'],
  },
  {
    name: 'agents read any mail',
    file: 'ops/inbox/inbox.ts',
    guard: 'if (!(await seesEverything(store, { name: agent, proof: principal?.proof }))) {',
    without: 'if (agent === undefined) {',
    subjects: ['mail'],
  },
  {
    name: 'a hook holds an agent for imported mail too',
    file: 'ops/clients/hook.ts',
    guard: "state === 'queued' && imported_by === null",
    without: "state === 'queued'",
    subjects: ['clients', 'keeping', 'inbox'],
  },
]

export const MUTANTS: Mutant[] = [
  ...SHELL.map((one): Mutant => ({ ...one, world: 'sqlite/cli' })),
  ...HTTP.map((one): Mutant => ({ ...one, world: 'postgres/http' })),
  ...MCP.map((one): Mutant => ({ ...one, world: 'sqlite/mcp' })),
  ...INSIDE,
]
