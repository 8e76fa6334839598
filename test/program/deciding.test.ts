// A person at a terminal sees the request and answers y or n. The decision applies to what was shown.

import { expect, test } from 'bun:test'
import { shortId } from '../../src/core/short-id.ts'
import { type Around, ask, folders, onScreen, run } from './process.ts'

const folder = folders()

async function answered(args: string[], around: Around): Promise<Record<string, unknown>> {
  return { ...(await ask(args, around)) }
}

async function asked() {
  const around = { folder: folder(), env: { INBOX_DB: 'store.db' } }
  const wish = ['--agent', 'ann', '--type', 'config_change', '--title', 'Raise the limit']
  const payload = '{"target":"api","current":{"limit":1},"proposed":{"limit":2}}'
  const request = (await answered(['request', 'create', ...wish, '--payload', payload], around))
    .request_id as string
  const status = async () => {
    const got = await answered(['request', 'get', request], around)
    return (got.request as { status: string }).status
  }
  return { around, request, status }
}

test('a terminal shows the request and asks, and only y decides', async () => {
  const { around, request, status } = await asked()
  const no = onScreen(['approve', request], around)
  await no.until(/Approve revision 1\? \[y\/N\] $/)
  expect(no.text()).toContain('Raise the limit')
  expect(no.text()).toContain('limit')
  no.type('n')
  expect(await no.exited).toBe(10)
  expect(await status()).toBe('pending')
  for (const key of ['\r', '\u0003', '\u001b']) {
    const other = onScreen(['reject', request], around)
    await other.until(/Reject revision 1\? /)
    other.type(key)
    expect(await other.exited).toBe(10)
  }
  expect(await status()).toBe('pending')
  const yes = onScreen(['approve', request, '--notes', 'Go on'], around)
  await yes.until(/\[y\/N\] $/)
  yes.type('y')
  expect(await yes.exited).toBe(0)
  expect(yes.text()).toContain(`${shortId(request)} is approved`)
  expect(await status()).toBe('approved')
})

test('the decision is on the revision that was shown', async () => {
  const { around, request, status } = await asked()
  const screen = onScreen(['approve', request], around)
  await screen.until(/\[y\/N\] $/)
  await ask(['request-revision', request, '--revision', '1', '--notes', 'Less'], around)
  const again = ['--agent', 'ann', '--revision', '1', '--title', 'Raise it a little']
  await ask(['resubmit', request, ...again], around)
  screen.type('y')
  expect(await screen.exited).toBe(20)
  expect(screen.text()).toContain('revision 2')
  expect(await status()).toBe('pending')
})

test('--yes shows the request without asking, and a pipe needs --revision', async () => {
  const { around, request, status } = await asked()
  for (const words of [[], ['--yes']]) {
    const piped = await run(['approve', request, ...words], { ...around, stdin: 'y\n' })
    expect(piped.code).toBe(30)
    expect(piped.err).toContain('--revision')
  }
  expect(await status()).toBe('pending')
  const sure = onScreen(['approve', request, '--yes'], around)
  expect(await sure.exited).toBe(0)
  expect(sure.text()).toContain('Raise the limit')
  expect(await status()).toBe('approved')
})

test.each([
  ['CLAUDECODE', 'claude'],
  ['CLAUDE_CODE_ENTRYPOINT', 'claude'],
  ['CLAUDE_CODE_SESSION_ID', 'claude'],
  ['CODEX_THREAD_ID', 'codex'],
  ['CODEX_SANDBOX', 'codex'],
  ['CODEX_SANDBOX_NETWORK_DISABLED', 'codex'],
  ['CURSOR_AGENT', 'cursor'],
  ['GEMINI_CLI', 'gemini'],
  ['OPENCODE', 'opencode'],
])(
  'a shell in which %s is set belongs to %s, and can neither decide nor set a policy',
  async (name, program) => {
    const { around, request, status } = await asked()
    const inside = { ...around, env: { ...around.env, [name]: '1' } }
    for (const words of [
      ['approve', request, '--revision', '1'],
      ['request', 'decide', `${request}:1`, '--decision', 'approve'],
      ['agent', 'policy', 'ann', '--require', 'tool:*'],
      ['request', 'effect', 'deploy', '--command', '["true"]'],
    ]) {
      const { code, err } = await run(words, inside)
      expect([words, code]).toEqual([words, 40])
      expect(err).toContain(`this shell belongs to ${program}`)
    }
    expect(await status()).toBe('pending')
  },
)

test('an agent is not asked, nor is a shell inside its program', async () => {
  const { around, request, status } = await asked()
  const screen = onScreen(['approve', request, '--yes'], {
    ...around,
    env: { ...around.env, INBOX_BACKEND: 'claude' },
  })
  expect(await screen.exited).toBe(40)
  expect(await status()).toBe('pending')
})

test('a question without its answer is shown but not asked about', async () => {
  const { around } = await asked()
  const wish = ['--agent', 'ann', '--type', 'question', '--title', 'Which colour?']
  const question = (
    await answered(['request', 'create', ...wish, '--payload', '{"text":"Which colour?"}'], around)
  ).request_id as string
  const screen = onScreen(['approve', question], around)
  expect(await screen.exited).toBe(30)
  expect(screen.text()).toContain('Which colour?')
  expect(screen.text()).toContain('--answer')
  expect(screen.text()).not.toContain('[y/N]')
  const sure = onScreen(['approve', question, '--answer', 'Blue', '--yes'], around)
  expect(await sure.exited).toBe(0)
})

test('a terminal gets a sentence about what was created, and a pipe the bare id', async () => {
  const { around } = await asked()
  const words = ['push', '--agent', 'ann', '--comments', 'Look']
  const piped = await run(words, around)
  expect(piped.out).toMatch(/^[0-9a-f-]{36}\n$/)
  const screen = onScreen(words, around)
  expect(await screen.exited).toBe(0)
  expect(screen.text()).toMatch(/^pushed; inbox push show [0-9a-f]{8} shows it\r\n$/)
  const wish = ['--agent', 'ann', '--type', 'deploy', '--title', 'Ship', '--payload', '{}']
  const made = onScreen(['request', 'create', ...wish], around)
  expect(await made.exited).toBe(0)
  expect(made.text()).toMatch(/^asked; inbox request get \w{6} shows it\r\n$/)
})

test('a held decision says when it counts and how to undo it', async () => {
  const { around, request } = await asked()
  const held = ['approve', request, '--revision', '1', '--grace-seconds', '30']
  const screen = onScreen(held, around)
  expect(await screen.exited).toBe(0)
  const id = shortId(request)
  expect(screen.text()).toMatch(
    new RegExp(
      `^${id} stays pending; the decision counts in \\d+ s, and inbox undo-decision ${id}`,
    ),
  )
})
