// The raw payload of a request, including what its type's usual display leaves out.

import { expect, test } from 'bun:test'
import type { KnownType } from '../../src/core/requests/request-types.ts'
import { ask, folders, onScreen, run } from './process.ts'

const folder = folders()

const file = (name: string) => ({ name, media_type: 'text/plain', size: 3, text: `of ${name}` })
const change = (path: string) => ({ kind: 'edit', path, summary: 'b', patch: `-a\n+${path}` })

const PAYLOADS: Record<KnownType | 'chore', object> = {
  config_change: { target: 'api', current: { limit: 1, same: 'kept' }, proposed: { limit: 2 } },
  knowledge_upload: { destination: 'kb', files: [file('a'), file('b')] },
  tool_invocation: { tool: 'rm', arguments: { path: '/' } },
  workspace_review: {
    body: 'See',
    target_path: 'a.md',
    changes: ['a', 'b', 'c', 'd', 'e'].map(change),
  },
  question: { text: 'Which?', options: ['a', 'b'] },
  chore: { any: ['thing'] },
}

test.each(Object.entries(PAYLOADS))(
  'request get --raw shows a %s completely',
  async (type, payload) => {
    const around = { folder: folder(), env: { INBOX_DB: 'store.db' } }
    const wish = ['--agent', 'ann', '--type', type, '--title', 'Look']
    const made = ['request', 'create', ...wish, '--payload', JSON.stringify(payload)]
    const { request_id } = { ...(await ask(made, around)) } as unknown as { request_id: string }
    const shown = await run(['request', 'get', request_id, '--raw'], around)
    expect(shown.code).toBe(0)
    const said = shown.out.split('\n').filter((line) => line.startsWith('│ '))
    expect(JSON.parse(said.map((line) => line.slice(2)).join('\n'))).toEqual(payload)
  },
)

test('a person deciding at a terminal can see the raw payload, too', async () => {
  const around = { folder: folder(), env: { INBOX_DB: 'store.db' } }
  const wish = ['--agent', 'ann', '--type', 'workspace_review', '--title', 'Look']
  const payload = JSON.stringify(PAYLOADS.workspace_review)
  const made = ['request', 'create', ...wish, '--payload', payload]
  const { request_id } = { ...(await ask(made, around)) } as unknown as { request_id: string }
  const plain = onScreen(['approve', request_id], around)
  await plain.until(/\[y\/N\] $/)
  expect(plain.text()).toContain('and 2 more: see all of it with --raw')
  plain.type('n')
  expect(await plain.exited).toBe(10)
  const raw = onScreen(['approve', request_id, '--raw'], around)
  await raw.until(/\[y\/N\] $/)
  expect(raw.text()).toContain('"patch": "-a\\n+e"')
  raw.type('y')
  expect(await raw.exited).toBe(0)
})
