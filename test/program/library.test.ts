// The library as a program sees it: what its types allow works, and what they leave out does not.

import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, connect, type Files, Refusal } from '../../src/index.ts'
import { folders, ROOT, run } from './process.ts'

const folder = folders()

test('an operation without required input needs no argument, and JSON may be a value or text', async () => {
  const inbox = await connect(join(folder(), 'store.db'), { agent: 'lead' })
  expect((await inbox.status()).counts.messages).toBe(0)
  const sent: Answer<'send'> = await inbox.send({
    to: 'worker',
    subject: 'Paint',
    payload_json: { coats: 2 },
    artifacts: [{ path: 'wall.png', metadata_json: { wide: true } }],
  })
  expect(sent.message.payload_json).toEqual({ coats: 2 })
  expect(sent.message.artifacts).toMatchObject([{ metadata_json: { wide: true } }])
  const mail = { to: 'user', body: 'Done', metadata: '{"n":1}' }
  expect((await inbox.mailSend({ ...mail, from: 'user' })).message?.metadata).toEqual({ n: 1 })
  await inbox.close()
})

test('the library lacks commands that only the shell has', async () => {
  const inbox = await connect(join(folder(), 'store.db'))
  // @ts-expect-error: not part of the library.
  const said = await inbox.serve({}).catch((error: unknown) => error)
  expect(said instanceof Refusal && said.code).toBe('not_found')
  await inbox.close()
  // @ts-expect-error: callers can't choose how the file is written.
  const options: Parameters<typeof connect>[1] = { journal: 'delete' }
  expect(options).toBeDefined()
})

test("a refusal uses the library's names of fields and operations", async () => {
  const inbox = await connect(join(folder(), 'store.db'))
  const why = async (call: Promise<unknown>) => {
    const refusal = await call.catch((error: unknown) => error)
    return refusal instanceof Refusal ? refusal.message : refusal
  }
  const mail = { from: 'lead', to: 'nobody', body: 'Hi' }
  expect(await why(inbox.mailSend({ ...mail, timeout_seconds: 5 }))).toBe(
    'timeout_seconds needs wait; say what to wait for',
  )
  expect(await why(inbox.mailSend({ ...mail, type: 'cancel' }))).toBe(
    'there is no agent nobody; see agentList(), or have it registered with agentRegister({"agent":"nobody"})',
  )
  // @ts-expect-error: the types require text.
  expect(await why(inbox.claim({ agent: 7 }))).toBe('agent must be text')
  expect(await why(inbox.claim())).toBe('agent is missing: say who you are with agent')
  await inbox.close()
})

test('the caller chooses where an export goes', async () => {
  const inbox = await connect(join(folder(), 'store.db'), { agent: 'lead' })
  await inbox.send({ to: 'worker', subject: 'Paint' })
  const lines: string[] = []
  const files: Files = {
    write: async (text) => void lines.push(...text.trimEnd().split('\n')),
    read: async function* () {},
    setAside: () => {},
    aside: '',
  }
  await inbox.export({}, { files })
  expect(lines.length).toBeGreaterThan(1)
  await inbox.close()
})

test('importing it by name in Node works, or says which version of Node it needs', async () => {
  const here = folder()
  mkdirSync(join(here, 'node_modules'))
  symlinkSync(ROOT, join(here, 'node_modules/mailroom'))
  const words = `const { connect } = await import('mailroom')
const inbox = await connect('store.db', { agent: 'lead' })
console.log((await inbox.status()).counts.messages)
await inbox.close()`
  writeFileSync(join(here, 'use.mjs'), words)
  const { out: version } = await run(['--version'], { folder: here, program: ['node'] })
  const { code, out, err } = await run(['use.mjs'], { folder: here, program: ['node'] })
  if (Bun.semver.satisfies(version.trim(), '>=24.21.0')) expect([code, out]).toEqual([0, '0\n'])
  else {
    expect(code).not.toBe(0)
    expect(err).toContain(
      `mailroom needs Node 24.21 or newer, or Bun 1.4; this is Node ${version.trim().slice(1)}`,
    )
  }
})

test('requestApproval never throws an outcome, and a signal ends the wait but not the request', async () => {
  const inbox = await connect(join(folder(), 'store.db'), { agent: 'builder' })
  const leaving = new AbortController()
  const wish = { type: 'chore', title: 'May I?', payload: { rooms: 2 }, idempotency_key: 'once' }
  const waiting = inbox.requestApproval(wish, { signal: leaving.signal })
  leaving.abort()
  const left = await waiting
  expect(left).toMatchObject({ approved: false, status: 'pending', revision: 1, notes: '' })
  const again = inbox.requestApproval(wish)
  const decision = { agent: 'user', request: left.request_id, revision: 1 }
  await inbox.reject({ ...decision, notes: 'No' })
  const rejected = { approved: false, status: 'rejected', notes: 'No' } as const
  expect(await again).toMatchObject({ ...rejected, request_id: left.request_id })
  expect(await inbox.requestApproval({ request: left.request_id })).toMatchObject(rejected)
  const question = { type: 'question', title: 'Which?', payload: { text: 'Which?' } }
  const asked = await inbox.requestCreate(question)
  const { request_id: request } = asked
  await inbox.approve({ agent: 'user', request, revision: 1, answer: 'Both' })
  const answered = await inbox.requestApproval({ request })
  expect(answered).toMatchObject({ approved: true, answer: 'Both', decided_by: 'user' })
  // Only an approved outcome has a payload, typed by the request's type.
  expect(answered.approved && answered.payload).toEqual({ text: 'Which?' })
  await inbox.close()
})
