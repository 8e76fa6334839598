// Runs every command of the skill for requests as its agent would.

import { expect, test } from 'bun:test'
import { expectBrief, openSkill } from './skill.ts'

type Answer = Record<string, unknown> & {
  required: string[]
  request_id: string
  requests: { request_id: string }[]
  request: { request_id: string; status: string; used_by: string | null }
  decision: { status: string; notes: string; answer?: string } | null
  approved: boolean
}

const { text, unused, take, start, run } = openSkill<Answer>('skills/inbox-request/SKILL.md')

test('the commands of the skill work in order', async () => {
  await run('inbox agent policy builder --require config_change --json')
  expect((await run(take('request types'))).required).toEqual(['config_change'])
  const create = take('request create')
  const { request_id: REQUEST } = await run(create)
  // With the key, a repeated call returns the same request.
  expect((await run(create)).request_id).toBe(REQUEST)
  const waiting = start(take('request wait'), { REQUEST })
  await run('inbox request-revision REQUEST --revision 1 --notes "Less, please" --json', {
    REQUEST,
  })
  expect((await waiting.answer).decision).toMatchObject({ notes: 'Less, please' })
  await run(take('resubmit'), { REQUEST })
  await run(take('comment'), { REQUEST })
  const again = start(take('request wait'), { REQUEST })
  await run('inbox approve REQUEST --revision 2 --json', { REQUEST })
  expect((await again.answer).request.status).toBe('approved')
  const verify = take('request verify')
  expect((await run(verify, { REQUEST })).approved).toBe(true)
  await start(verify, { REQUEST }, 30).answer
  expect((await run(take('request get'), { REQUEST })).request.used_by).toBe('builder')
  const other = await run(create.replace('raise-1', 'raise-2'))
  await run(take('cancel-request'), { REQUEST: other.request_id })
  const asking = start(take('request ask'))
  const question = await soon(async () => {
    const { requests } = await run('inbox request list --type question --json')
    return requests[0]?.request_id
  })
  await run('inbox approve REQUEST --revision 1 --answer cookie --json', { REQUEST: question })
  expect((await asking.answer).decision).toMatchObject({ answer: 'cookie' })
  expect(unused.filter((line) => line !== '')).toEqual([])
})

test('the skill is brief', () => expectBrief(text, 'inbox-request'))

async function soon(look: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
  }
}
