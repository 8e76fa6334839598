// Agents with backend `sdk` in the built program: a file, one command, and two models that work together.

import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHAT } from '../clients/chat.ts'
import { MESSAGES } from '../clients/messages.ts'
import { type Model, models, type Script } from '../clients/model.ts'
import { DIST, folders, run } from '../program/process.ts'

const folder = folders()
const model = models()
const WORKER = [join(DIST, 'agent-worker')]

const FILE = `agents:
  reviewer:
    model: anthropic/claude-sonnet-4-5
    system_prompt: You review.
  coder:
    model: openai/gpt-5
    system_prompt: You code.
    tools: [read_file, write_file]
kickoff: "@reviewer look at \${{ params.what }}"
params:
  - { name: what, default: the door }
`

const TWO = `agents:
  coder:
    model: anthropic/claude-sonnet-4-5
    system_prompt: You code.
kickoff: "@coder go"
`

type Line = Record<string, unknown> & { event?: string }

async function runFile(text: string, env: Record<string, string>, ...words: string[]) {
  const here = folder()
  const file = join(here, 'review.yaml')
  writeFileSync(file, text)
  const ran = await run(['run', file, '--json', ...words], { folder: here, program: WORKER, env })
  const lines = ran.out.split('\n').flatMap((line) => {
    return line.startsWith('{') ? [JSON.parse(line) as Line] : []
  })
  return { here, ...ran, lines }
}

const sends = (message: string, last: string): Script =>
  function* () {
    yield { tool: 'inbox_check', args: {} }
    yield { tool: 'channel_send', args: { message } }
    yield { say: last }
  }

function keys(anthropic: Model, openai?: Model): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: 'k1',
    ANTHROPIC_BASE_URL: anthropic.url,
    ...(openai && { OPENAI_API_KEY: 'k2', OPENAI_BASE_URL: `${openai.url}/v1` }),
  }
}

describe('agent-worker run', () => {
  test('two models talk through the channel, and one writes a file and a document', async () => {
    const [reviewer, coder] = [model(MESSAGES), model(CHAT)]
    reviewer.play(sends('@coder please paint the door', 'I asked the coder.'))
    coder.play(function* () {
      yield { tool: 'write_file', args: { path: 'door.txt', content: 'red' } }
      yield { tool: 'document_write', args: { content: '# The door is red' } }
      yield { tool: 'channel_send', args: { message: 'The door is red.' } }
      yield { say: 'Painted.' }
    })
    const { here, code, err, lines } = await runFile(FILE, keys(reviewer, coder), '--verbose')
    reviewer.check()
    coder.check()
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(lines.at(-1)).toMatchObject({ ended: 'idle' })
    const served = lines.find(({ event }) => event === 'context')
    expect(served?.socket).toBe(join(here, '.workflow/default/context.sock'))
    expect(served?.url).toMatch(/^http:..127.0.0.1:3[12]\d\d.mcp$/)
    expect(lines.filter(({ kind }) => kind === 'error')).toEqual([])
    const dir = join(here, '.workflow', 'default')
    const channel = readFileSync(join(dir, 'channel.md'), 'utf8')
    expect(channel).toContain('[reviewer]\n@coder please paint the door')
    expect(channel).toContain('[coder]\nThe door is red.')
    expect(readFileSync(join(here, 'door.txt'), 'utf8')).toBe('red')
    expect(readFileSync(join(dir, 'notes.md'), 'utf8')).toBe('# The door is red')
    expect(reviewer.asked[0]).toContain('look at the door')
    expect(coder.asked[0]).toContain('please paint the door')
  }, 60_000)

  test('refuses a model without a key before anything starts', async () => {
    const { code, out, err } = await runFile(TWO, {})
    expect(code).not.toBe(0)
    expect(out + err).toContain('set ANTHROPIC_API_KEY, or AI_GATEWAY_API_KEY for the gateway')
  })

  test('an agent mentioned again continues its conversation', async () => {
    const [reviewer, coder] = [model(MESSAGES), model(CHAT)]
    reviewer.play(function* () {
      yield { tool: 'channel_send', args: { message: '@coder think of a number' } }
      yield { say: 'asked' }
      yield { tool: 'channel_send', args: { message: '@coder which number was it?' } }
      yield { say: 'asked again' }
    })
    coder.play(function* () {
      yield { tool: 'channel_send', args: { message: 'I have one, @reviewer' } }
      yield { say: 'The number is 42.' }
      yield { say: 'Still 42.' }
    })
    const { code, lines } = await runFile(FILE, keys(reviewer, coder))
    reviewer.check()
    coder.check()
    expect([code, lines.at(-1)?.ended]).toEqual([0, 'idle'])
    expect(coder.asked).toHaveLength(3)
    expect(coder.asked[2]).toContain('The number is 42.')
    expect(coder.asked[2]).toContain('which number was it?')
  }, 60_000)

  test('a turn the model’s server refuses is tried three times, and the run reports why it failed', async () => {
    let asked = 0
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch() {
        asked += 1
        const error = { type: 'authentication_error', message: 'invalid x-api-key' }
        return Response.json({ type: 'error', error }, { status: 401 })
      },
    })
    const env = { ANTHROPIC_API_KEY: 'bad', ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.port}` }
    const { code, lines } = await runFile(TWO, env)
    await server.stop(true)
    expect([code, lines.at(-1)?.ended, asked]).toEqual([1, 'failed', 3])
    const given = lines.find(({ event }) => event === 'gave_up')
    expect(given?.why).toContain('invalid x-api-key; check the key of the provider')
  }, 60_000)
})
