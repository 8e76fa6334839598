import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

const CODE = /^[0-9A-Za-z]{22}$/
const FORM = /^mr_[0-9a-z]{26}_[0-9A-Za-z]{49}$/
const DAY = 86_400

async function workspace(world: World): Promise<string> {
  const { workspace } = await world.inbox.workspaceAdd({ path: world.folder, label: 'app' })
  return workspace.workspace_id
}

behaves('token/issue', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const answer = await world.inbox.tokenIssue({ name: 'ann', label: 'laptop', days: 7 })
  expect(world.exitOf(answer)).toBe(0)
  expect(answer.token).toMatch(FORM)
  const { issued } = answer
  const at = world.clock.now()
  expect(issued).toEqual({
    token_id: `tok_${answer.token?.slice(3, 29)}`,
    kind: 'token',
    principal_kind: 'agent',
    principal_name: 'ann',
    workspace_id: null,
    sets: [],
    may: [],
    label: 'laptop',
    issued_by: 'user',
    issued_at: at,
    expires_at: new Date(Date.parse(at) + 7 * DAY * 1000).toISOString(),
    revoked_at: null,
    state: 'good',
    last_used_at: null,
  })
  // The holder of a token can be written to.
  expect((await world.inbox.agentStatus({ agent: 'ann' })).agent.agent_id).toBe('ann')
  const others = [
    [{ name: 'user' }, 'person'],
    [{ name: 'user:eve' }, 'person'],
    [{ name: 'ci', service: true }, 'service'],
    [{ name: 'orchestrator' }, 'agent'],
  ] as const
  for (const [input, kind] of others) {
    const { issued, token } = await world.inbox.tokenIssue(input)
    expect(issued).toMatchObject({
      principal_kind: kind,
      principal_name: input.name,
      expires_at: null,
    })
    expect(token).toMatch(FORM)
  }
  expect(await logAgrees(world)).toBe(true)
})

behaves('token/kept-nowhere', async (world) => {
  const key = { idempotency_key: 'once' }
  const { token: one } = await world.inbox.tokenIssue({ name: 'ann', ...key })
  const { token: two } = await world.inbox.tokenIssue({ name: 'bob' })
  const { code } = await world.inbox.signIn({})
  const secrets = [one, two, `__${code}`].map((text) => text?.split('_')[2] as string)
  const kept = JSON.stringify(await everything(world)) + (await world.exportLog())
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThanOrEqual(22)
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(secret.slice(0, 43))
  }
  // The log doesn't contain the hashes that secrets are compared with, either.
  const hashes = await world.sql('select hash from tokens')
  const log = await world.exportLog()
  for (const { hash } of hashes) {
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(log).not.toContain(hash as string)
  }
})

behaves('token/retry', async (world) => {
  const input = { name: 'ann', idempotency_key: 'once' }
  const first = await world.inbox.tokenIssue(input)
  const again = await world.inbox.tokenIssue(input)
  expect(first.token).toMatch(FORM)
  expect(again).toEqual({ ...first, token: null })
  expect(await world.sql('select token_id from tokens')).toHaveLength(1)
  await refused(world.inbox.tokenIssue({ ...input, name: 'bob' }), 'invalid_state')
})

behaves('token/scope', async (world) => {
  const id = await workspace(world)
  const { issued } = await world.inbox.tokenIssue({ workspace: id })
  expect(issued).toMatchObject({ principal_name: 'app', workspace_id: id, sets: [] })
  const sets = ['workspace', 'mailbox'] as ('workspace' | 'mailbox')[]
  const { issued: named } = await world.inbox.tokenIssue({ name: 'ann', workspace: id, sets })
  expect(named).toMatchObject({ principal_name: 'ann', workspace_id: id, sets })
})

behaves('token/list', async (world) => {
  const { issued: short } = await world.inbox.tokenIssue({ name: 'ann', days: 1 })
  await world.clock.advance(60)
  const { issued: long } = await world.inbox.tokenIssue({ name: 'bob' })
  await world.inbox.signIn({})
  const ids = async (input = {}) => {
    const { tokens } = await world.inbox.tokenList(input)
    return tokens.map(({ token_id }) => token_id)
  }
  expect(await ids()).toEqual([long.token_id, short.token_id])
  expect(await ids({ name: 'ann' })).toEqual([short.token_id])
  expect(await ids({ limit: 1 })).toEqual([long.token_id])
  await world.clock.advance(DAY)
  expect(await ids()).toEqual([long.token_id])
  const { tokens } = await world.inbox.tokenList({ all: true })
  expect(tokens.map(({ kind, state }) => [kind, state]).sort()).toEqual([
    ['code', 'expired'],
    ['token', 'expired'],
    ['token', 'good'],
  ])
  expect(JSON.stringify(tokens)).not.toContain('hash')
})

behaves('token/revoke', async (world) => {
  const one = await world.inbox.tokenIssue({ name: 'ann' })
  const two = await world.inbox.tokenIssue({ name: 'ann' })
  const at = await world.clock.advance(60)
  const { revoked } = await world.inbox.tokenRevoke({ token: one.issued.token_id })
  expect(revoked).toEqual({ ...one.issued, revoked_at: at, state: 'revoked' })
  const found = await world.inbox.tokenRevoke({ token: two.token as string })
  expect(found.revoked).toMatchObject({ token_id: two.issued.token_id, state: 'revoked' })
  await world.clock.advance(60)
  const again = await world.inbox.tokenRevoke({ token: one.issued.token_id })
  expect(again.revoked).toEqual(revoked)
  expect((await world.inbox.tokenList({})).tokens).toEqual([])
  await refused(world.inbox.tokenRevoke({ token: 'tok_none' }), 'not_found')
  expect(await logAgrees(world)).toBe(true)
})

behaves('token/bad-input', async (world) => {
  const id = await workspace(world)
  await world.inbox.workspaceRemove({ workspace: id })
  const before = await everything(world)
  await refused(world.inbox.tokenIssue({}), 'invalid_input')
  await refused(world.inbox.tokenIssue({ service: true, workspace: id }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'user', service: true }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'system' }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'broadcast', service: true }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'orchestrator', service: true }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'user:orchestrator' }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'ann', days: 0 }), 'invalid_input')
  await refused(world.inbox.tokenIssue({ name: 'user:nobody' }), 'not_found')
  await refused(world.inbox.tokenIssue({ name: 'ann', workspace: id }), 'not_found')
  await refused(world.inbox.tokenIssue({ workspace: 'ws_none' }), 'not_found')
  expect(await everything(world)).toEqual(before)
})

behaves('token/with-workspace', async (world) => {
  const id = await workspace(world)
  const { issued } = await world.inbox.tokenIssue({ workspace: id })
  const { issued: other } = await world.inbox.tokenIssue({ name: 'ann' })
  const { issued: ended } = await world.inbox.tokenIssue({ workspace: id })
  await world.inbox.tokenRevoke({ token: ended.token_id })
  const { revoked } = await world.inbox.workspaceRemove({ workspace: id })
  expect(revoked).toBe(1)
  await world.inbox.workspaceAdd({ path: world.folder })
  const { tokens } = await world.inbox.tokenList({ all: true })
  const state = (tokenId: string) => tokens.find(({ token_id }) => token_id === tokenId)?.state
  expect(state(issued.token_id)).toBe('revoked')
  expect(state(other.token_id)).toBe('good')
  expect(await logAgrees(world)).toBe(true)
})

behaves('token/prune', async (world) => {
  const { issued: good } = await world.inbox.tokenIssue({ name: 'ann' })
  const { issued: revoked } = await world.inbox.tokenIssue({ name: 'ann' })
  await world.inbox.tokenIssue({ name: 'ann', days: 2 })
  await world.inbox.signIn({})
  const { issued: late } = await world.inbox.tokenIssue({ name: 'ann', days: 1 })
  await world.inbox.tokenRevoke({ token: revoked.token_id })
  await world.clock.advance(31 * DAY)
  // This token expired long ago, but is revoked only now.
  await world.inbox.tokenRevoke({ token: late.token_id })
  await world.clock.advance(2 * DAY)
  expect((await world.inbox.prune({ dry_run: true })).removed.tokens).toBe(3)
  expect((await world.inbox.prune({})).removed).toMatchObject({ tokens: 3, events: 4 })
  const ids = (await world.sql('select token_id from tokens')).map(({ token_id }) => token_id)
  expect(ids.sort()).toEqual([good.token_id, late.token_id].sort())
  expect(await logAgrees(world)).toBe(true)
  expect((await world.inbox.prune({})).removed.tokens).toBe(0)
  await world.clock.advance(30 * DAY)
  expect((await world.inbox.prune({})).removed.tokens).toBe(1)
  const text = await world.exportLog()
  const copy = await world.another('empty')
  expect((await copy.importLog(text)).rejected).toEqual([])
  expect(await logAgrees(copy)).toBe(true)
})

behaves('sign-in/code', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const mine = await world.inbox.signIn({})
  expect(mine).toMatchObject({ person: 'user', link: null })
  expect(mine.code).toMatch(CODE)
  expect(Date.parse(mine.expires_at) - Date.parse(world.clock.now())).toBe(600_000)
  const server = 'http://127.0.0.1:4001/'
  const hers = await world.inbox.signIn({ person: 'eve', server })
  expect(hers.person).toBe('user:eve')
  expect(hers.link).toBe(`http://127.0.0.1:4001/sign-in?code=${hers.code}`)
  const { tokens } = await world.inbox.tokenList({ all: true, name: 'user:eve' })
  expect(tokens).toMatchObject([{ kind: 'code', principal_kind: 'person', state: 'good' }])
})

behaves('sign-in/retry', async (world) => {
  const input = { server: 'http://127.0.0.1:4001', idempotency_key: 'once' }
  const first = await world.inbox.signIn(input)
  expect(first.code).toMatch(CODE)
  expect(await world.inbox.signIn(input)).toEqual({ ...first, code: null, link: null })
  expect(await world.sql('select token_id from tokens')).toHaveLength(1)
})

behaves('sign-in/bad-input', async (world) => {
  const before = await everything(world)
  await refused(world.inbox.signIn({ person: 'user:nobody' }), 'not_found')
  await refused(world.inbox.signIn({ person: 'broadcast' }), 'invalid_input')
  for (const server of [
    'localhost',
    'ftp://host',
    'http://host/page',
    'http://h?x',
    'javascript:1',
  ]) {
    await refused(world.inbox.signIn({ server }), 'invalid_input')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('identity/key', async (world) => {
  const { inbox, folder } = world
  const key = (n: number) => ({ idempotency_key: `try-${n}` })
  const add = { path: folder, label: 'app', ...key(1) }
  const { workspace: added } = await once(world, () => inbox.workspaceAdd(add))
  const named = { workspace: added.workspace_id }
  await once(world, () => inbox.workspaceRename({ ...named, label: 'The app', ...key(2) }))
  const { issued } = await inbox.tokenIssue({ name: 'ann' })
  await once(world, () => inbox.tokenRevoke({ token: issued.token_id, ...key(3) }))
  await once(world, () => inbox.workspaceRemove({ ...named, ...key(4) }))
  expect(await logAgrees(world)).toBe(true)
})

behaves('identity/log', async (world) => {
  const id = await workspace(world)
  await world.inbox.tokenIssue({ workspace: id, sets: ['workspace'] })
  const { issued } = await world.inbox.tokenIssue({ name: 'ann', days: 30, label: 'x' })
  await world.inbox.tokenRevoke({ token: issued.token_id })
  await world.inbox.signIn({})
  await world.inbox.workspaceRename({ workspace: id, label: 'Other' })
  await world.inbox.workspaceRemove({ workspace: id })
  await world.inbox.workspaceAdd({ path: world.folder })
  await world.inbox.tokenIssue({ name: 'user' })
  const text = await world.exportLog()
  const copy = await world.another('empty')
  expect((await copy.importLog(text)).rejected).toEqual([])
  expect(await copy.exportLog()).toBe(text)
  expect(await logAgrees(copy)).toBe(true)
  const kept = 'token_id, kind, principal_name, workspace_id, sets, label, expires_at, revoked_at'
  const tokens = `select ${kept} from tokens order by token_id`
  expect(await copy.sql(tokens)).toEqual(await world.sql(tokens))
  const workspaces = 'select * from workspaces'
  expect(await copy.sql(workspaces)).toEqual(await world.sql(workspaces))
  // No token works in a store that has only the imported log.
  await copy.clock.set(world.clock.now())
  expect(await copy.sql('select distinct hash from tokens')).toEqual([{ hash: '' }])
  expect((await copy.inbox.tokenList({})).tokens.map(({ state }) => state)).toEqual(['unusable'])
})

const WRONG: [string, (facts: Record<string, unknown>) => void][] = [
  ['workspace_add', (facts) => Object.assign(facts, { path: '' })],
  ['workspace_add', (facts) => Object.assign(facts, { default_agent: 'user' })],
  ['workspace_add', (facts) => Object.assign(facts, { label: 7 })],
  ['workspace_add', (facts) => Object.assign(facts, { hash: 'x' })],
  ['workspace_change', (facts) => Object.assign(facts, { workspace_id: 'ws_other' })],
  ['workspace_remove', (facts) => Object.assign(facts, { workspace_id: 'ws_other' })],
  ['token_issue', (facts) => Object.assign(facts, { token_id: 'x' })],
  ['token_issue', (facts) => Object.assign(facts, { kind: 'master' })],
  ['token_issue', (facts) => Object.assign(facts, { principal_kind: 'system' })],
  ['token_issue', (facts) => Object.assign(facts, { principal_name: 'system' })],
  ['token_issue', (facts) => Object.assign(facts, { principal_kind: 'person' })],
  ['token_issue', (facts) => Object.assign(facts, { sets: ['all'] })],
  ['token_issue', (facts) => Object.assign(facts, { may: ['all'] })],
  ['token_issue', (facts) => Object.assign(facts, { may: ['decide'] })],
  ['token_issue', (facts) => Object.assign(facts, { expires_at: 'never' })],
  ['token_issue', (facts) => Object.assign(facts, { workspace_id: 'ws_other' })],
  ['token_issue', (facts) => Object.assign(facts, { hash: 'a'.repeat(64) })],
  ['token_revoke', (facts) => Object.assign(facts, { token_id: `tok_${'0'.repeat(26)}` })],
]

behaves('identity/bad-lines', async (world) => {
  const id = await workspace(world)
  await world.inbox.workspaceRename({ workspace: id, label: 'Other' })
  const { issued } = await world.inbox.tokenIssue({ name: 'ann' })
  await world.inbox.tokenRevoke({ token: issued.token_id })
  await world.inbox.workspaceRemove({ workspace: id })
  const lines = (await world.exportLog()).trimEnd().split('\n')
  const poisoned: string[] = [lines[0] as string]
  const wrong: number[] = []
  let eventId = 0
  for (const line of lines.slice(1)) {
    const entry = JSON.parse(line)
    // Wrong lines come first, before the right one has taken effect.
    for (const [type, spoil] of WRONG.filter(([type]) => type === entry.event.event_type)) {
      const facts = JSON.parse(entry.event.payload_json)
      spoil(facts)
      eventId += 1
      const event = { ...entry.event, event_id: eventId, payload_json: JSON.stringify(facts) }
      expect(type).toBe(event.event_type)
      wrong.push(poisoned.push(JSON.stringify({ event })))
    }
    eventId += 1
    poisoned.push(JSON.stringify({ ...entry, event: { ...entry.event, event_id: eventId } }))
  }
  const copy = await world.another('empty')
  const { rejected, events } = await copy.importLog(`${poisoned.join('\n')}\n`)
  expect(rejected.map(({ line }) => line)).toEqual(wrong)
  expect(wrong).toHaveLength(WRONG.length)
  expect(events).toBe(lines.length - 1)
  expect(await logAgrees(copy)).toBe(true)
})
