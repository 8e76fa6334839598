// Takes one piece of work through the library, from sending to done, in the given store. Run by Node itself, from the
// source; prints the result as one line of JSON.

import { connect, Refusal } from '../../src/index.ts'

const [db = ''] = process.argv.slice(2)
const lead = await connect(db, { agent: 'lead' })
const worker = await connect(db, { agent: 'worker' })

const key = { idempotency_key: 'once' }
const { thread } = await lead.send({ to: 'worker', subject: 'Hi', body: 'Ünïcode 🙂', ...key })
const again = await lead.send({ to: 'worker', subject: 'Hi', body: 'Ünïcode 🙂', ...key })
const claimed = await worker.claim({})
const on = { thread: thread.thread_id }
await worker.update({ ...on, status: 'blocked', summary: 'Which?', payload_json: '{"n":1}' })
const waiting = worker.waitReply({ ...on, timeout_seconds: 240 })
await lead.reply({ ...on, summary: 'That' })
const reply = await waiting
const done = await worker.done({
  ...on,
  summary: 'Done',
  artifacts: [{ path: 'a.md', kind: 'file', metadata_json: '{}' }],
})
const refusal = await worker.done({ ...on, summary: 'Again' }).catch((error: unknown) => error)
const shown = await lead.show({ thread: thread.thread_id })
const doctor = await lead.doctor({})
const nothing = await worker.claim({})
await worker.close()
await lead.close()

console.log(
  JSON.stringify({
    sameThread:
      again.thread.thread_id === thread.thread_id && claimed.thread?.thread_id === thread.thread_id,
    woke: reply.woke,
    answer: reply.message?.summary,
    status: done.thread.status,
    refusal: refusal instanceof Refusal ? refusal.code : String(refusal),
    kinds: shown.messages.map((message) => message.kind),
    payload: shown.messages.find((message) => message.kind === 'question')?.payload_json,
    body: shown.messages[0]?.body,
    // Not `healthy`, because the PostgreSQL test server runs without fsync, which doctor reports.
    log: doctor.findings.find((finding) => finding.check === 'log')?.ok,
    nothing: nothing.thread,
  }),
)
