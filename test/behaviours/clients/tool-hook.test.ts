import { expect } from 'bun:test'
import { beginWake } from '../../../src/wake/wake-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { begin, besideDoor } from '../../worlds/instances.ts'
import { refused } from '../../worlds/refused.ts'
import { unreadOf } from '../../worlds/requests.ts'
import { until, type World } from '../../worlds/world.ts'

type Use = { event?: 'use' | 'permission'; tool?: string; arguments?: object | string }

const RM = { command: 'rm -r build', description: 'Remove the old build' }

async function requireApproval(world: World, ...requires: string[]): Promise<void> {
  await world.inbox.agentPolicy({ applies_to: 'worker', requires })
}

/** The worker uses a tool, and no one decides on the request while the hook waits. */
function useTool(world: World, { event = 'use', ...use }: Use = {}, agent = 'worker') {
  const { tool = 'Bash', arguments: args = RM } = use
  const words = typeof args === 'string' ? args : JSON.stringify(args)
  return world.as(agent).toolHook({ event, tool, arguments: words, timeout_seconds: 1 })
}

const verdict = (decision: 'allow' | 'deny', reason: unknown) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: decision,
    permissionDecisionReason: reason,
  },
})

async function all(world: World) {
  return (await world.inbox.requestList({ tab: 'all' })).requests
}

behaves('tool-hook/free', async (world) => {
  const none = { decision: 'none', output: {} }
  expect(await useTool(world)).toMatchObject(none)
  await requireApproval(world, 'config_change', 'tool:Bash(rm *)', 'tool:mcp__*')
  expect(await useTool(world, { arguments: { command: 'ls' } })).toMatchObject(none)
  expect(await useTool(world, { tool: 'Write', arguments: { file_path: 'rm x' } })).toMatchObject(
    none,
  )
  expect(await useTool(world, {}, 'other')).toMatchObject(none)
  // Asking for approval must not need approval, but only our real tools are exempt.
  const own = { tool: 'mcp__mailroom__request_approval', arguments: {} }
  expect(await useTool(world, own)).toMatchObject(none)
  expect(await all(world)).toEqual([])
  const alike = { tool: 'mcp__mailroom__evil__run', arguments: {} }
  expect(await useTool(world, alike)).toMatchObject({ decision: 'deny', pending: true })
})

behaves('tool-hook/workflow', (world) =>
  besideDoor(world, async (room) => {
    const { store, makeId } = room
    const coder = 'coder@pr-1'
    await begin(room, {
      wake: { [coder]: { command: ['true'], types: ['custom'], after_seconds: 0 } },
    })
    await requireApproval(world, 'tool:mcp__*')
    await world.inbox.agentPolicy({ applies_to: coder, requires: ['tool:mcp__*'] })
    const use = { tool: 'mcp__workflow-context__channel_send', arguments: { message: 'a' } }
    const asked = { decision: 'deny', pending: true }
    expect(await useTool(world, use)).toMatchObject(asked)
    expect(await useTool(world, use, coder)).toMatchObject(asked)
    await world.inbox.agentStatus({ agent: coder, status: 'dormant' })
    await world.inbox.workflowSend({ message: '@coder go on', to: '@pr-1' })
    await world.clock.advance(1)
    const owner = { instance: 'pr-1', since: await store.now(), holds: async () => true }
    const around = { makeId, offsetMinutes: () => 0, owner }
    expect(await beginWake(store, coder, around)).not.toBeNull()
    expect(await useTool(world, use, coder)).toMatchObject({ decision: 'none', output: {} })
    expect(await useTool(world, use)).toMatchObject(asked)
  }),
)

behaves('tool-hook/approve', async (world) => {
  await requireApproval(world, 'tool:Bash(rm *)')
  const first = await useTool(world)
  const request = first.request_id as string
  expect(first).toMatchObject({ decision: 'deny', pending: true })
  expect(first.output).toEqual(
    verdict('deny', expect.stringContaining(`Approval was requested as ${request}`)),
  )
  const { request: asked, revisions } = await world.inbox.requestGet({ request })
  expect(asked).toMatchObject({
    type: 'tool_invocation',
    requester: 'worker',
    title: 'Bash: rm -r build',
  })
  // The model's description is not part of what is approved.
  expect(revisions[0]).toMatchObject({
    payload: { tool: 'Bash', arguments: { command: 'rm -r build' } },
    description: 'Remove the old build\n\ntool:Bash(rm *) must be asked for.',
  })
  // Until it's decided, the same call finds the same request, and a different call gets a different one.
  expect((await useTool(world)).request_id).toBe(request)
  const other = await useTool(world, { arguments: { ...RM, command: 'rm -r src' } })
  expect(other.request_id).not.toBe(request)
  await world.inbox.approve({ request, revision: 1 })
  const again = await useTool(world, { arguments: { ...RM, description: 'Clean up' } })
  expect(again).toMatchObject({ decision: 'allow', request_id: request })
  expect(again.output).toEqual(verdict('allow', `user approved it: ${request}`))
  const { request: kept } = await world.inbox.requestGet({ request })
  expect(kept).toMatchObject({ used_by: 'worker' })
})

behaves('tool-hook/whole', async (world) => {
  await requireApproval(world, 'tool:*')
  const issue = (description: string) => ({
    tool: 'mcp__tracker__run',
    arguments: { command: 'create', description },
  })
  const first = await useTool(world, issue('Please fix it'))
  const request = first.request_id as string
  const { revisions } = await world.inbox.requestGet({ request })
  expect(revisions[0]?.payload).toEqual(issue('Please fix it'))
  await world.inbox.approve({ request, revision: 1 })
  for (const other of ['Delete everything', '']) {
    expect(await useTool(world, issue(other))).toMatchObject({ decision: 'deny', pending: true })
  }
  // A tool isn't a shell just because its name contains a shell's name.
  const alike = { ...issue('Please fix it'), tool: 'mcp__tracker__Bash' }
  const asked = (await useTool(world, alike)).request_id as string
  await world.inbox.approve({ request: asked, revision: 1 })
  const changed = { ...issue('Delete everything'), tool: alike.tool }
  expect(await useTool(world, changed)).toMatchObject({ decision: 'deny', pending: true })
  expect(await useTool(world, issue('Please fix it'))).toMatchObject({ decision: 'allow' })
})

behaves('tool-hook/once', async (world) => {
  await requireApproval(world, 'tool:Bash')
  await world.inbox.agentPolicy({ applies_to: 'other', requires: ['tool:Bash'] })
  const { request_id: request } = await useTool(world)
  await world.inbox.approve({ request: request as string, revision: 1 })
  // Another agent's approval does not allow anything.
  expect(await useTool(world, {}, 'other')).toMatchObject({ decision: 'deny', pending: true })
  // Neither does an approval of another type, for which people were shown something other than a tool use.
  const payload = JSON.stringify({ tool: 'Bash', arguments: { command: 'rm -r src' } })
  const chore = { agent: 'worker', type: 'lunch', title: 'May I have lunch?', payload }
  const { request_id: lunch } = await world.inbox.requestCreate(chore)
  await world.inbox.approve({ request: lunch, revision: 1 })
  const removed = await useTool(world, { arguments: { command: 'rm -r src' } })
  expect(removed).toMatchObject({ decision: 'deny', pending: true })
  const at = () => useTool(world)
  const both = await Promise.all([at(), at()])
  expect(both.map(({ decision }) => decision).sort()).toEqual(['allow', 'deny'])
  const next = await useTool(world)
  expect(next).toMatchObject({ decision: 'deny', pending: true })
  expect(next.request_id).not.toBe(request as string)
  const own = (await all(world)).filter(({ requester, title }) => {
    return requester === 'worker' && title === 'Bash: rm -r build'
  })
  expect(own).toHaveLength(2)
})

behaves('tool-hook/permission', async (world) => {
  await requireApproval(world, 'tool:Bash')
  const denied = await useTool(world, { event: 'permission' })
  expect(denied).toMatchObject({ decision: 'deny', pending: true })
  // Codex refuses keys that it does not know.
  const said = (decision: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  })
  expect(denied.output).toEqual(said({ behavior: 'deny', message: denied.reason }))
  await world.inbox.approve({ request: denied.request_id as string, revision: 1 })
  expect(await useTool(world)).toMatchObject({ decision: 'allow' })
  // The program asks about the call that was just allowed, possibly twice, but never about an older one.
  for (let time = 0; time < 2; time += 1) {
    const again = await useTool(world, { event: 'permission' })
    expect(again).toMatchObject({ decision: 'allow', request_id: denied.request_id })
    expect(again.output).toEqual(said({ behavior: 'allow' }))
  }
  expect(await useTool(world)).toMatchObject({ decision: 'deny', pending: true })
  await world.clock.advance(61)
  expect(await useTool(world, { event: 'permission' })).toMatchObject({ decision: 'deny' })
})

behaves('tool-hook/no', async (world) => {
  await requireApproval(world, 'tool:*')
  const first = (await useTool(world)).request_id as string
  await world.inbox.reject({ request: first, revision: 1, notes: 'Keep it' })
  const no = await useTool(world)
  expect(no).toMatchObject({ decision: 'deny', request_id: first })
  expect(no.pending).toBeUndefined()
  expect(no.reason).toContain(`user rejected this call (${first}): Keep it.`)
  await until(async () => (await unreadOf(world, 'worker')).length === 0, 'it has been told')
  await world.clock.advance(3601)
  const later = await useTool(world)
  expect(later).toMatchObject({ decision: 'deny', pending: true })
  const second = later.request_id as string
  expect(second).not.toBe(first)
  await world.inbox.requestRevision({ request: second, revision: 1, notes: 'Only build/old' })
  for (let time = 0; time < 2; time += 1) {
    const changed = await useTool(world)
    expect(changed.reason).toContain('user wants this call changed')
    expect(changed.reason).toContain('Only build/old')
  }
  // The agent submits the changed call, and makes it once it's approved.
  const better = { tool: 'Bash', arguments: { command: 'rm -r build/old' } }
  const payload = JSON.stringify(better)
  await world.inbox.resubmit({ agent: 'worker', request: second, revision: 1, payload })
  await world.inbox.approve({ request: second, revision: 2 })
  const done = await useTool(world, { arguments: better.arguments })
  expect(done).toMatchObject({ decision: 'allow', request_id: second })
  expect(await useTool(world)).toMatchObject({ decision: 'deny', pending: true })
})

behaves('tool-hook/wait', async (world) => {
  await requireApproval(world, 'tool:Bash')
  const call = { event: 'use', tool: 'Bash', arguments: JSON.stringify(RM) } as const
  const waiting = world.as('worker').toolHook({ ...call, timeout_seconds: 30 })
  await until(async () => (await all(world)).length === 1, 'it is asked about')
  const [request] = await all(world)
  await world.inbox.approve({ request: request?.request_id as string, revision: 1 })
  expect(await waiting).toMatchObject({ decision: 'allow' })
})

behaves('tool-hook/bad-input', async (world) => {
  await requireApproval(world, 'tool:*')
  for (const args of ['[1]', '"rm"', 'null']) {
    expect(await useTool(world, { arguments: args })).toMatchObject({ decision: 'deny' })
  }
  // A call that two programs could parse differently is refused before anyone is asked.
  for (const args of ['{"a":1,"a":2}', '{"id":9007199254740993}', '{"a":']) {
    await refused(useTool(world, { arguments: args }), 'invalid_input')
  }
  const odd = { event: 'stop' as 'use', tool: 'Bash', arguments: '{}' }
  await refused(world.as('worker').toolHook(odd), 'invalid_input')
  expect(await all(world)).toEqual([])
})
