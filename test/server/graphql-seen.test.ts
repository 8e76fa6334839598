// Lists of inbox items over GraphQL: who can see which, and at what cost.

import { expect, test } from 'bun:test'
import { LIMIT } from '../worlds/requests.ts'
import {
  ANN,
  BOB,
  CREATE,
  codes,
  type GraphServer,
  onBothEngines,
  only,
  RAISE,
  type Visit,
} from './graph.ts'
import { op, tokenFor } from './serving.ts'

onBothEngines((engine, here) => {
  const run: GraphServer['run'] = (...asked) => here.run(...asked)
  const asked: GraphServer['asked'] = (...input) => here.asked(...input)

  test('inboxItems filters and pages, and inboxItemPage counts, what the caller can see', async () => {
    const { tenantId } = here
    const type = `t${engine}`
    const ids: string[] = []
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      ids.unshift(await asked({ type, title, entityType: 'run', entityId: title }))
    }
    await run(`mutation ($id: ID!) { rejectInboxItem(id: $id, revision: 1) { id } }`, {
      id: ids[0],
    })
    const list = `query ($tab: InboxItemTab, $status: InboxItemStatus, $type: String, $title: String, $requesterId: ID, $recipientId: ID,
      $mine: Boolean, $entityType: String, $entityId: ID, $before: ID, $limit: Int, $tenantId: ID) {
      inboxItems(tab: $tab, status: $status, type: $type, title: $title, requesterId: $requesterId, recipientId: $recipientId,
        mine: $mine, entityType: $entityType, entityId: $entityId, before: $before, limit: $limit,
        tenantId: $tenantId) { title status }
    }`
    const titles = async (filter: object, visit: Visit = {}) =>
      (only(await run(list, { type, ...filter }, visit)) as unknown as { title: string }[]).map(
        ({ title }) => title,
      )
    expect(await titles({})).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await titles({ tenantId })).toHaveLength(3)
    expect(await titles({ tab: 'PENDING' })).toEqual(['Beta', 'Alpha'])
    expect(await titles({ tab: 'RESOLVED' })).toEqual(['Gamma'])
    expect(await titles({ status: 'REJECTED' })).toEqual(['Gamma'])
    expect(await titles({ status: 'PENDING', tab: 'RESOLVED' })).toEqual(['Beta', 'Alpha'])
    expect(await titles({ status: 'REVISION_REQUESTED' })).toEqual([])
    expect(await titles({ title: 'ET' })).toEqual(['Beta'])
    expect(await titles({ requesterId: 'bob' })).toEqual([])
    expect(await titles({ recipientId: 'user' })).toEqual([])
    expect(await titles({ entityType: 'run', entityId: 'Alpha' })).toEqual(['Alpha'])
    expect(await titles({ mine: true }, ANN)).toHaveLength(3)
    expect(await titles({}, BOB)).toEqual([])
    expect(await titles({ limit: 2 })).toEqual(['Gamma', 'Beta'])
    const page = `query ($before: ID, $type: String) {
      inboxItemPage(type: $type, limit: 2, before: $before) {
        items { id config } hasMore nextBefore pending resolved types { type count }
      }
    }`
    const first = only(await run(page, { type }))
    expect(first).toMatchObject({ hasMore: true, nextBefore: ids[1], pending: 2, resolved: 1 })
    expect(first.types).toContainEqual({ type, count: 3 })
    expect(first.items).toMatchObject([{ id: ids[0], config: LIMIT }, { id: ids[1] }])
    const second = only(await run(page, { type, before: first.nextBefore }))
    expect(second).toMatchObject({ hasMore: false, nextBefore: null, items: [{ id: ids[2] }] })
    const nulls = `{ inboxItems(type: "${type}", tenantId: null, status: null, title: null, mine: null, before: null) { id } }`
    expect((await run(nulls)).errors).toEqual([])
    for (const bad of [{ limit: 501 }, { limit: 0 }]) {
      expect(codes(await run(list, bad))).toEqual(['inboxItems invalid_input'])
    }
    const many = `{ inboxItems(limit: 51) { id ...More } } fragment More on InboxItem { comments { id } }`
    const refused = await run(many)
    expect(codes(refused)).toEqual(['inboxItems invalid_input'])
    expect(refused.errors[0]?.message).toContain('at most 50')
  })

  test('another tenant’s items, and items the caller cannot see, are not found', async () => {
    const id = await asked()
    const look = `query ($id: ID!, $tenantId: ID) { inboxItem(id: $id, tenantId: $tenantId) { id } }`
    expect(codes(await run(look, { id }, BOB))).toEqual(['inboxItem not_found'])
    expect(codes(await run(look, { id: 'req_none' }))).toEqual(['inboxItem not_found'])
    const foreign = { tenantId: 'sto_other' }
    expect(codes(await run(look, { id, ...foreign }))).toEqual(['inboxItem not_found'])
    const rest = `query ($tenantId: ID, $id: ID!) {
      inboxItems(tenantId: $tenantId) { id }
      inboxItemPage(tenantId: $tenantId) { pending }
      activityLog(tenantId: $tenantId, entityId: $id) { id }
      own: inboxItem(id: $id) { id }
    }`
    const { data, errors } = await run(rest, { id, ...foreign })
    expect(errors.map(({ extensions }) => extensions)).toEqual(
      Array(3).fill({ code: 'not_found', status: 404, details: {} }),
    )
    // The other fields still get their values.
    expect(data).toMatchObject({ inboxItems: null, activityLog: null, own: { id } })
    const made = await run(CREATE, { input: { ...RAISE, ...foreign } }, ANN)
    expect(codes(made)).toEqual(['createInboxItem not_found'])
  })

  test('a service sees everything and decides with a grant, and a limited token cannot see items', async () => {
    const id = await asked()
    const service = { token: await tokenFor(here.server, { name: 'ci', service: true }) }
    const look = `query ($id: ID!) { inboxItem(id: $id) { id config } }`
    expect(only(await run(look, { id }, service))).toMatchObject({ id })
    const approve = `mutation ($id: ID!) { approveInboxItem(id: $id, revision: 1) { status } }`
    expect(codes(await run(approve, { id }, service))).toEqual(['approveInboxItem forbidden'])
    const desk = await tokenFor(here.server, { name: 'desk', service: true, may: ['decide'] })
    const own = await asked()
    const byDesk = only(
      await run(
        `mutation ($id: ID!) { approveInboxItem(id: $id, revision: 1) { status decidedBy } }`,
        { id: own },
        { token: desk },
      ),
    )
    expect(byDesk).toEqual({ status: 'APPROVED', decidedBy: 'desk' })
    const person = { token: await tokenFor(here.server, { name: 'user' }) }
    const limited = { token: await tokenFor(here.server, { name: 'ann', sets: ['mailbox'] }) }
    expect(codes(await run(look, { id }, limited))).toEqual(['inboxItem forbidden'])
    expect(only(await run(approve, { id }, person))).toEqual({ status: 'APPROVED' })
  })

  test('an agent told to stop gets the stop in every answer until it reads the message', async () => {
    const name = `dan${engine}`
    await op(here.server, 'agent-register', { agent: name })
    await op(here.server, 'mail-send', { to: name, type: 'cancel', subject: 'Stop', body: 'Now' })
    const look = async () =>
      JSON.parse((await run('{ inboxItems { id } }', {}, { as: name })).text).extensions
    const { stop } = await look()
    expect(stop).toMatchObject({ from: 'user', subject: 'Stop', about: 'agent' })
    expect(await look()).toEqual({ stop })
    const unknown = await run('{ inboxItem(id: "req_none") { id } }', {}, { as: name })
    expect(unknown.errors[0]).toMatchObject({
      message: expect.stringContaining('STOP: user says "Stop"'),
      extensions: { code: 'not_found', details: { stop } },
    })
    await op(here.server, 'mail-mark-read', { messages: [stop.id] }, { as: name })
    expect(await look()).toBeUndefined()
  })

  test('a list costs one look, plus one per item only if a field needs it', async () => {
    const type = `n${engine}`
    for (let n = 0; n < 5; n++) await asked({ type, title: `Item ${n}` })
    const light = `id tenantId type status title revision requesterId recipientId entityType entityId workspaceId risk
      policy deciders editable configSha256 decidedBy decidedAt expiresAt createdAt`
    const whole = 'description config comments { id } activity { id } updatedAt actions'
    const lists = (count: number, fields: string) => {
      const all = Array.from({ length: count }, (_, n) => {
        return `a${n}: inboxItems(type: "${type}") { ...F }`
      })
      return `{ ${all.join(' ')} } fragment F on InboxItem { ${fields} }`
    }
    // 20 lists of 5 items would take 100 more lookups, which is too many for one document.
    expect((await run(lists(20, light))).errors).toEqual([])
    const many = await run(lists(20, whole))
    expect(many.errors.length).toBeGreaterThan(0)
    expect(many.errors[0]).toMatchObject({
      message: expect.stringContaining('more than 100 things at once'),
      extensions: { code: 'invalid_input' },
    })
    // 4 lists of 5 items take 20 more lookups, however many fields need one.
    expect((await run(lists(4, whole))).errors).toEqual([])
  })
})
