import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { CALLERS, type Principal, TOOL_SETS } from '../../core/principal.ts'
import { agentRegister } from '../agents/agent-register.ts'
import { loadAll } from '../catalogue.ts'
import { authorise, mustBeItself } from './authorise.ts'
import type { Operation } from './operation.ts'

const ANN: Principal = { kind: 'agent', name: 'ann', proof: 'token' }
const EVE: Principal = { kind: 'person', name: 'user:eve', proof: 'token' }
const BROWSER: Principal = { ...EVE, proof: 'page' }
const COOKIE: Principal = { ...EVE, proof: 'session' }
const CI: Principal = { kind: 'service', name: 'ci', proof: 'token' }

const ops = await loadAll()

function verdict(op: Operation, principal: Principal, raw: Record<string, unknown>): string {
  try {
    authorise(op, principal, raw)
    return 'ok'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test('rejects callers of the wrong kind', () => {
  const forPeople: string[] = []
  for (const op of ops) {
    for (const kind of CALLERS) {
      const principal: Principal = { kind, name: 'somebody', proof: 'token', may: ['decide'] }
      // A token doesn't prove who is at the screen. The system is the server itself, so it's allowed.
      const isOpen = !op.opensWindow || kind === 'system'
      const expected = op.callers.includes(kind) && isOpen ? 'ok' : 'forbidden'
      expect({ op: op.name, kind, is: verdict(op, principal, {}) }).toEqual({
        op: op.name,
        kind,
        is: expected,
      })
    }
    if (!op.callers.includes('agent') && !op.callers.includes('service')) forPeople.push(op.name)
  }
  // Agents and programs never decide who gets access or what may be seen.
  for (const word of [
    'sign-in',
    'token ',
    'workspace add',
    'workspace rename',
    'workspace remove',
  ]) {
    for (const op of ops.filter(({ name }) => name.startsWith(word))) {
      expect(forPeople).toContain(op.name)
    }
  }
})

test('rejects calls in another caller’s name', () => {
  let checked = 0
  for (const op of ops) {
    for (const [key, field] of Object.entries(op.fields)) {
      if (field.kind !== 'self' || field.positional || !op.callers.includes('agent')) continue
      checked += 1
      expect(verdict(op, ANN, { [key]: 'bob' })).toBe('forbidden')
      expect(verdict(op, ANN, { [key]: ['ann'] })).toBe('forbidden')
      expect(verdict(op, ANN, { [key]: 'ann' })).toBe('ok')
      expect(verdict(op, EVE, { [key]: 'user' })).toBe('forbidden')
      expect(
        verdict(op, { kind: 'system', name: 'system', proof: 'claim' }, { [key]: 'bob' }),
      ).toBe('ok')
    }
  }
  expect(checked).toBeGreaterThan(10)
})

test('only people with a token can set fields that give power', () => {
  const register = agentRegister as unknown as Operation
  const plain = { agent: 'ann', role: 'builder', status: 'idle' }
  const powers: Record<string, unknown> = {
    parent: 'bob',
    paired_person: 'user',
    source: 'codex',
    may_write_to_user: true,
    may_not_write_to_user: true,
    agent: 'orchestrator',
    role: 'orchestrator',
    wake_command: '["true"]',
    wake_cwd: '/',
    wake_types: ['question'],
    wake_every_seconds: 60,
    wake_cron: '* * * * *',
    wake_quiet: '22-7',
    wake_budget_per_hour: 60,
    wake_hop_limit: 9,
    wake_timeout_seconds: 60,
    wake_after_seconds: 60,
  }
  const marked = Object.keys(register.fields).filter((key) => register.fields[key]?.power)
  expect(marked.sort()).toEqual(Object.keys(powers).sort())
  for (const principal of [ANN, CI]) {
    expect(verdict(register, principal, plain)).toBe('ok')
    for (const [key, value] of Object.entries(powers)) {
      expect({ key, is: verdict(register, principal, { ...plain, [key]: value }) }).toEqual({
        key,
        is: 'forbidden',
      })
    }
    expect(verdict(register, principal, { ...plain, role: ['orchestrator'] })).toBe('forbidden')
  }
  expect(verdict(register, EVE, { ...plain, ...powers })).toBe('ok')
  expect(verdict(register, BROWSER, plain)).toBe('ok')
  for (const [key, value] of Object.entries(powers)) {
    expect(verdict(register, BROWSER, { ...plain, [key]: value })).toBe('forbidden')
  }
})

test('a browser session cannot change access, workspaces or the store', () => {
  const closed = ops.filter((op) => op.callers.includes('person'))
  const names = closed.filter((op) => verdict(op, BROWSER, {}) !== 'ok').map(({ name }) => name)
  expect(names.sort()).toEqual([
    'agent policy',
    'export',
    'import',
    'mail export',
    'open',
    'person add',
    'prune',
    'request effect',
    'request retry',
    'sign-in',
    'token issue',
    'workspace add',
    'workspace remove',
  ])
})

test('a browser cookie without its page key cannot change anything', () => {
  const open = ops.filter((op) => verdict(op, COOKIE, {}) === 'ok')
  expect(open.filter(({ writes }) => writes !== 'nothing').map(({ name }) => name)).toEqual([])
  expect(open.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['desk list', 'mail peek', 'push history', 'agent list']),
  )
  const changing = ops.filter((op) => op.writes !== 'nothing' && op.callers.includes('person'))
  expect(changing.length).toBeGreaterThan(50)
  const withKey = changing.filter((op) => verdict(op, BROWSER, {}) === 'ok').map(({ name }) => name)
  expect(withKey).toEqual(
    expect.arrayContaining(['send', 'reply', 'comment', 'mail send', 'push trash', 'approve']),
  )
})

test('only people, and services a person authorized, can decide requests', () => {
  const deciding = ops.filter(({ decides }) => decides)
  expect(deciding.map(({ name }) => name).sort()).toEqual([
    'approve',
    'reject',
    'request decide',
    'request-revision',
    'undo-decision',
  ])
  const callers: [Principal, string][] = [
    [EVE, 'ok'],
    [{ ...EVE, proof: 'socket' }, 'ok'],
    [{ ...EVE, sets: ['requests'] }, 'ok'],
    [{ ...EVE, sets: ['mailbox', 'threads', 'workspace'] }, 'forbidden'],
    [{ ...EVE, sets: ['workspace'], workspace_id: 'ws_1' }, 'forbidden'],
    [BROWSER, 'ok'],
    [COOKIE, 'forbidden'],
    [CI, 'forbidden'],
    [{ ...CI, may: ['decide'] }, 'ok'],
    [{ ...CI, may: ['decide'], sets: ['mailbox'] }, 'forbidden'],
    [ANN, 'forbidden'],
    // An agent can't decide, even with a token that grants that right.
    [{ ...ANN, may: ['decide'] }, 'forbidden'],
    [{ ...ANN, proof: 'claim' }, 'forbidden'],
  ]
  for (const op of deciding) {
    for (const [principal, is] of callers) {
      expect({ op: op.name, principal, is: verdict(op, principal, {}) }).toEqual({
        op: op.name,
        principal,
        is,
      })
    }
  }
})

test('only the owner’s own page can open a window', () => {
  const opening = ops.filter(({ opensWindow }) => opensWindow)
  expect(opening.map(({ name }) => name)).toEqual(['open'])
  const page: Principal = { kind: 'person', name: 'user', proof: 'page' }
  for (const op of opening) {
    expect(verdict(op, page, {})).toBe('ok')
    expect(verdict(op, { ...page, name: 'user:eve' }, {})).toBe('forbidden')
    for (const proof of ['session', 'token', 'socket', 'claim', 'workspace'] as const) {
      expect({ proof, is: verdict(op, { ...page, proof }, {}) }).toEqual({ proof, is: 'forbidden' })
    }
    for (const kind of ['agent', 'service'] as const) {
      expect(verdict(op, { ...page, kind }, {})).toBe('forbidden')
    }
  }
})

test('only the agent itself and people can declare an agent’s status', () => {
  const says = (principal: Principal | undefined, agent: string) => {
    try {
      mustBeItself(principal, agent)
      return true
    } catch {
      return false
    }
  }
  expect(says(ANN, 'ann')).toBe(true)
  expect(says(ANN, 'bob')).toBe(false)
  expect(says(CI, 'ci')).toBe(false)
  expect(says(EVE, 'bob')).toBe(true)
  // The shell doesn't identify its caller, so only the file's permissions apply.
  expect(says(undefined, 'bob')).toBe(true)
})

test('a limited token cannot call operations outside its sets, or in no set', () => {
  for (const op of ops) {
    const [kind = 'system'] = op.callers
    const caller: Principal = { kind, name: 'somebody', proof: 'token' }
    if (kind === 'system') continue
    for (const one of TOOL_SETS) {
      const isOpen = op.set === 'every' || op.set === one
      expect({ op: op.name, one, is: verdict(op, { ...caller, sets: [one] }, {}) }).toEqual({
        op: op.name,
        one,
        is: isOpen ? 'ok' : 'forbidden',
      })
    }
  }
  const setOf = new Map(ops.map(({ name, set }) => [name, set]))
  expect(setOf.get('mail send')).toBe('mailbox')
  expect(setOf.get('wait-reply')).toBe('threads')
  expect(setOf.get('hook')).toBe('mailbox')
  expect(setOf.get('doctor')).toBe('none')
})
