// Faults that a test should notice: each removes a guard or inverts a condition. Most are in the doors, where proving a
// sentence by the rule differs from proving it in full; those in core, ops and store check that nothing else is missed.

import type { Mutation } from '../test/faults/guards/mutant.ts'

export type Mutant = Mutation & {
  name: string
  /** The only world to try, if not all of them. For the shell, one engine is enough. */
  world?: string
  /** The subjects whose sentences cover the fault. By default, all are tried. */
  subjects?: string[]
}

const RUN = 'doors/cli/run.ts'
const ARGV = 'doors/cli/argv.ts'
const ROUTE = 'doors/http/ops-route.ts'
const TOOL = 'doors/mcp/run-tool.ts'
const AUTHORISE = 'ops/kit/authorise.ts'

const SHELL: Mutant[] = [
  {
    name: 'shell: an empty result exits with 0',
    file: RUN,
    guard: 'return op.nothing?.(result) ? EMPTY_HANDED : 0',
    without: 'return 0',
  },
  {
    name: 'shell: a bad finding exits with 0',
    file: RUN,
    guard: 'if (verdict !== undefined) return CODES[verdict].exit',
    without: '',
  },
  {
    name: 'shell: shown mail is never recorded as presented',
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
    file: RUN,
    guard: 'const error = { code, message, ...refusal?.details }',
    without: 'const error = { code, message }',
  },
  {
    name: 'shell: a signal does not end a wait cleanly',
    file: RUN,
    guard: 'op.blocks ? io.onInterrupt() : NEVER',
    without: 'NEVER',
  },
  {
    name: 'shell: a read creates the store',
    file: RUN,
    guard: 'mayMakeStore(op, input) ? io.open : io.lookAt',
    without: 'mayMakeStore(op, input) ? io.open : io.open',
  },
  {
    name: 'shell: a switch is ignored',
    file: ARGV,
    guard: 'flags.has(flag) ? true : undefined',
    without: 'undefined',
  },
  {
    name: 'shell: only the first value of a list is used',
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
    name: 'shell: a positional agent is also the caller',
    file: ARGV,
    guard: "if (word === undefined || kind === 'self') return word !== undefined",
    without: 'if (word === undefined) return false',
  },
  {
    name: 'shell: the value none clears nothing',
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
    name: 'http: shown mail is never recorded as presented',
    file: ROUTE,
    guard: 'isTaken ? afterAnswer() : drop()',
    without: 'drop()',
  },
  {
    name: 'http: a wait starts without being requested',
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
    name: 'http: anyone may do what only people may',
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
    name: 'mcp: an inverted argument is not inverted',
    file: TOOL,
    guard: 'return !value',
    without: 'return value',
  },
  {
    name: 'mcp: a number is refused where text is expected',
    file: TOOL,
    guard: "if (arg.orNumber && typeof value === 'number') return String(value)",
    without: '',
  },
  {
    name: 'mcp: an argument is passed on under its own name',
    file: TOOL,
    guard: 'raw[arg.field ?? name] = value',
    without: 'raw[name] = value',
  },
  {
    name: 'mcp: an omitted argument is not replaced',
    file: TOOL,
    guard: 'return beside !== undefined && isLeftOut(args[beside]) ? undefined : value',
    without: 'return undefined',
  },
  {
    name: 'mcp: the limits of a wait are not applied',
    file: TOOL,
    guard: 'return Math.min(most, Math.max(least, value))',
    without: 'return value',
  },
  {
    name: 'mcp: shown mail is never recorded as presented',
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
    name: 'a stop is never delivered',
    file: 'ops/call.ts',
    guard: '!hearer || notStopped === hearer.agent ? result',
    without: 'agent !== null ? result',
    subjects: ['threads', 'mail'],
  },
  {
    name: 'a refusal carries no stop',
    file: 'ops/call.ts',
    guard: 'if (told === undefined || !(error instanceof Refusal)) throw error',
    without: 'if (error) throw error',
    subjects: ['threads', 'mail'],
  },
  {
    name: 'shown mail counts as shown by the library',
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
    name: 'any lease token is accepted',
    file: 'core/threads/lease.ts',
    guard: 'lease.lease_token === who.token',
    without: 'lease.lease_token !== undefined',
    subjects: ['threads'],
  },
  {
    name: 'a key may be reused for a different request',
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
