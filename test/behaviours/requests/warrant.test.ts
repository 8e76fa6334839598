// Warrants: what an approval proves, to whom, and how often.

import { expect } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { connect } from '../../../src/index.ts'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, LIMIT, titles } from '../../worlds/requests.ts'
import { everything } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

const PAYLOAD = JSON.stringify(LIMIT)
const OTHER = JSON.stringify({ ...LIMIT, target: 'web' })

async function approved(world: World): Promise<string> {
  const request = await asked(world)
  await world.inbox.approve({ request, revision: 1 })
  return request
}

async function warrantOf(world: World, request: string) {
  const { decision } = await world.inbox.requestGet({ agent: 'ann', request })
  if (decision?.warrant === undefined) throw new Error(`${request} has no warrant`)
  return decision.warrant
}

async function reasonOf(refusal: Promise<unknown>): Promise<unknown> {
  return (await refused(refusal, 'invalid_state')).details.why
}

behaves('request/warrant', async (world) => {
  const request = await asked(world)
  expect((await world.inbox.requestGet({ request })).decision).toBeNull()
  const done = await world.inbox.approve({ request, revision: 1 })
  const warrant = await warrantOf(world, request)
  const { key, signature, ...signed } = warrant
  expect(signed).toEqual({
    request_id: request,
    revision: 1,
    payload_sha256: done.payload_sha256,
    decision: 'approve',
    decided_by: 'user',
    decided_at: done.decided_at,
  })
  const waited = await world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 1 })
  expect(waited.decision?.warrant).toEqual(warrant)
  // This is how to check a warrant with nothing but the warrant and the key.
  const text = JSON.stringify(Object.fromEntries(Object.entries(signed).sort()))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  expect(verify(null, Buffer.from(text), publicKey, bytes)).toBe(true)
  expect(verify(null, Buffer.from(text.replace('user', 'ann')), publicKey, bytes)).toBe(false)
  // A store has one key, and only approved requests have a warrant.
  expect((await warrantOf(world, await approved(world))).key).toBe(key)
  const other = await asked(world)
  await world.inbox.reject({ request: other, revision: 1 })
  expect((await world.inbox.requestGet({ request: other })).decision?.warrant).toBeUndefined()
  const log = await world.exportLog()
  expect(log).not.toContain(signature)
  expect(log).not.toContain('warrant')
})

behaves('request/warrant-backup', async (world) => {
  const warrant = JSON.stringify(await warrantOf(world, await approved(world)))
  const file = join(world.folder, 'copy.db')
  await world.inbox.backup({ file })
  const copy = await connect(file)
  expect(await copy.requestVerify({ warrant, payload: PAYLOAD })).toMatchObject({ approved: true })
  // Each store counts uses separately.
  await world.inbox.requestVerify({ warrant, payload: PAYLOAD, use: true })
  await copy.requestVerify({ warrant, payload: PAYLOAD, use: true })
  await copy.close()
})

behaves('request/verify', async (world) => {
  const request = await asked(world, { editable: true })
  const payload = '{"target":"api","current":{"limit":1},"proposed":{"limit":1.5}}'
  const spelt = '{ "proposed": {"limit": 15e-1}, "current": {"limit":1.0}, "target": "\\u0061pi" }'
  const done = await world.inbox.approve({ request, revision: 1, payload })
  const warrant = await warrantOf(world, request)
  const answer = {
    approved: true,
    request_id: request,
    revision: 1,
    payload_sha256: done.payload_sha256,
    decided_by: 'user',
    decided_at: done.decided_at,
    used_at: null,
    key: warrant.key,
  }
  const before = await everything(world)
  for (const words of [payload, spelt]) {
    expect(await world.inbox.requestVerify({ request, payload: words })).toMatchObject(answer)
    const byWarrant = { warrant: JSON.stringify(warrant), payload: words }
    expect(await world.inbox.requestVerify(byWarrant)).toMatchObject(answer)
  }
  expect(await everything(world)).toEqual(before)
})

behaves('request/verify-no', async (world) => {
  const request = await asked(world)
  const verified = (payload: string, of = request) =>
    reasonOf(world.inbox.requestVerify({ request: of, payload }))
  expect(await verified(PAYLOAD)).toBe('not_approved')
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  expect(await verified(PAYLOAD)).toBe('not_approved')
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, payload: OTHER })
  await world.inbox.approve({ request, revision: 2 })
  expect(await verified(PAYLOAD)).toBe('stale')
  expect(await verified('{}')).toBe('other_payload')
  expect(await world.inbox.requestVerify({ request, payload: OTHER })).toMatchObject({
    revision: 2,
  })
  const no = await asked(world)
  await world.inbox.reject({ request: no, revision: 1 })
  const { message } = await refused(
    world.inbox.requestVerify({ request: no, payload: PAYLOAD, use: true }),
    'invalid_state',
  )
  expect(message).toContain('is rejected, by user')
  // Another agent can't find the request, and a call must name exactly one of request and warrant.
  const foreign = world.inbox.requestVerify({ agent: 'bob', request, payload: OTHER })
  await refused(foreign, 'not_found')
  await refused(world.inbox.requestVerify({ payload: OTHER }), 'invalid_input')
  const warrant = JSON.stringify(await warrantOf(world, request))
  await refused(world.inbox.requestVerify({ request, warrant, payload: OTHER }), 'invalid_input')
})

behaves('request/forged', async (world) => {
  const request = await approved(world)
  const warrant = await warrantOf(world, request)
  const verified = (parts: object, payload = PAYLOAD) =>
    world.inbox.requestVerify({ warrant: JSON.stringify({ ...warrant, ...parts }), payload })
  const zeros = '0'.repeat(64)
  const changes: object[] = [
    { request_id: await approved(world) },
    { revision: 2 },
    { payload_sha256: zeros },
    { decided_by: 'user:eve' },
    { decided_at: '2020-01-01T00:00:00.000Z' },
    { signature: `${'A'.repeat(85)}Q` },
  ]
  for (const change of changes) expect(await reasonOf(verified(change))).toBe('tampered')
  const other = await world.another('empty')
  const theirs = await warrantOf(other, await approved(other))
  expect(await reasonOf(verified(theirs))).toBe('other_store')
  // Another store's signature is not accepted even with this store's key in the warrant.
  const posed = { ...theirs, key: warrant.key }
  expect(await reasonOf(verified(posed))).toBe('tampered')
  for (const wrong of [{ signature: 'x' }, { decision: 'reject' }, { more: 1 }, { revision: 0 }]) {
    await refused(verified(wrong), 'invalid_input')
  }
  await refused(world.inbox.requestVerify({ warrant: '[]', payload: PAYLOAD }), 'invalid_input')
  expect(await verified({})).toMatchObject({ approved: true })
})

behaves('request/use', async (world) => {
  const request = await approved(world)
  const warrant = JSON.stringify(await warrantOf(world, request))
  const use = { agent: 'ann', warrant, payload: PAYLOAD, use: true }
  const wrong = world.inbox.requestVerify({ ...use, payload: OTHER })
  expect(await reasonOf(wrong)).toBe('other_payload')
  const keyed = { ...use, idempotency_key: 'use-1' }
  const used = await once(world, () => world.inbox.requestVerify(keyed))
  expect(used).toMatchObject({ used_by: 'ann' })
  const { details } = await refused(world.inbox.requestVerify(use), 'invalid_state')
  expect(details).toMatchObject({ why: 'used', used_by: 'ann', used_at: used.used_at })
  const byId = world.inbox.requestVerify({ request, payload: PAYLOAD, use: true })
  expect(await reasonOf(byId)).toBe('used')
  // The request remains approved.
  const asking = await world.inbox.requestVerify({ request, payload: PAYLOAD })
  expect(asking).toMatchObject({ approved: true, used_by: 'ann' })
  const { request: row, activity } = await world.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'approved', used_by: 'ann', used_at: used.used_at })
  expect(activity.at(-1)).toMatchObject({ actor: 'ann', action: 'use', from: null, to: null })
  expect(await ailments(world)).toEqual([])
  const copy = await world.another('empty')
  expect(await copy.importLog(await world.exportLog())).toMatchObject({ rejected: [] })
  expect((await copy.inbox.requestGet({ request })).request.used_by).toBe('ann')
})

behaves('request/one-reading', async (world) => {
  const before = await everything(world)
  const traps = [
    '{"a":1,"a":2}',
    '{"x":[{"a":1,"b":2,"\\u0061":3}]}',
    '{"n":9007199254740993}',
    '{"n":1e400}',
    '{"n":1.9999999999999999999999}',
    '{"n":99999999.999999999}',
    '{"s":"\\ud800"}',
    '{"\\udc00":1}',
    '{"s":"\\u0000"}',
  ]
  for (const payload of traps) {
    await refused(asked(world, { type: 'chore', payload }), 'invalid_input')
  }
  expect(await everything(world)).toEqual(before)
  const request = await asked(world, { type: 'chore', payload: '{"a":1}', editable: true })
  const change = { request, revision: 1 }
  const [trap] = traps as [string]
  await refused(world.inbox.approve({ ...change, payload: trap }), 'invalid_input')
  await refused(world.inbox.requestVerify({ request, payload: trap }), 'invalid_input')
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  const form = JSON.stringify({ text: 'How many?', schema })
  const question = await asked(world, { type: 'question', payload: form })
  const reply = world.inbox.approve({ request: question, revision: 1, values: trap })
  await refused(reply, 'invalid_input')
  await world.inbox.requestRevision({ ...change, notes: 'Again' })
  await refused(world.inbox.resubmit({ agent: 'ann', ...change, payload: trap }), 'invalid_input')
  expect((await titles(world)).length).toBe(2)
  // Equal values have the same digest, however they are written.
  const digests = new Set<string>()
  for (const payload of ['{"a":-0,"b":1e21}', '{"b":1E+21,"a":0.0}']) {
    const id = await asked(world, { type: 'chore', payload })
    digests.add((await world.inbox.requestGet({ request: id })).request.payload_sha256)
  }
  expect(digests.size).toBe(1)
})

behaves('request/decided-elsewhere', async (world) => {
  const request = await approved(world)
  const warrant = JSON.stringify(await warrantOf(world, request))
  const other = await world.another('empty')
  await other.importLog(await world.exportLog())
  // The other store has its own key, and signs what is decided there.
  const theirs = await warrantOf(other, await approved(other))
  expect(theirs.key).not.toBe(JSON.parse(warrant).key)
  const { request: row, decision } = await other.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'approved', decided_by: 'user' })
  expect(decision?.warrant).toBeUndefined()
  const byId = other.inbox.requestVerify({ request, payload: PAYLOAD })
  expect(await reasonOf(byId)).toBe('other_store')
  const byWarrant = other.inbox.requestVerify({ warrant, payload: PAYLOAD })
  expect(await reasonOf(byWarrant)).toBe('other_store')
})
