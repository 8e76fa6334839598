// A workflow file whose agents are real programs: one command starts them, and they work together through the channel.

import { expect, test } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import { DIST, folders, run } from '../program/process.ts'
import { claudeEnv, codexEnv, homeOf } from './agents.ts'
import { MESSAGES } from './messages.ts'
import { type Act, type Heard, models, type Script } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()

const FILE = `agents:
  reviewer:
    backend: claude
    model: anthropic/claude-sonnet-4-5
    system_prompt: You review, and are strict.
  coder:
    backend: codex
    model: scripted/scripted
    system_prompt: You fix what was found.
kickoff: "@reviewer please look at greet.py"
`

function* says(message: string, words: string): Generator<Act, void, Heard> {
  const { answer } = yield { tool: 'channel_send', args: { message } }
  expect(answer.error).toBeUndefined()
  yield { say: words }
}

test('claude and codex hand work to each other until none is left', async () => {
  const here = folder()
  const [strict, mending] = [model(MESSAGES), model(RESPONSES)]
  const heard: string[] = []
  const reviewer: Script = function* (first) {
    heard.push(first.text)
    yield { tool: 'document_append', args: { content: '- a greeting without a name\n' } }
    yield* says('@coder it greets nobody; see notes.md', 'One finding')
    yield* says('@user all is fixed', 'Accepted')
  }
  const coder: Script = function* (first) {
    heard.push(first.text)
    yield { tool: 'document_read', args: {} }
    yield* says('@reviewer it greets its reader now', 'Fixed')
  }
  strict.play(reviewer)
  mending.play(coder)
  const provider = `[analytics]\nenabled = false\n[features]\nplugins = false\napps = false\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${mending.url}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`
  fs.writeFileSync(join(homeOf(here), 'config.toml'), provider)
  fs.writeFileSync(join(here, 'flow.yaml'), FILE)
  const env = {
    ...codexEnv({ folder: here, model: mending }),
    ...claudeEnv({ folder: here, model: strict }),
  }
  const program = [join(DIST, 'agent-worker')]
  const { code, out, err } = await run(['run', 'flow.yaml'], { folder: here, env, program })
  strict.check()
  mending.check()
  expect({ code, out, err }).toMatchObject({ code: 0 })
  expect(out).toContain('Accepted')
  expect(out).toContain('Fixed')
  const channel = fs.readFileSync(join(here, '.workflow/default/channel.md'), 'utf8')
  const said = channel.split('\n').filter((line) => line !== '' && !line.startsWith('###'))
  expect(said).toEqual([
    'Workflow started',
    '@reviewer please look at greet.py',
    '@coder it greets nobody; see notes.md',
    '@reviewer it greets its reader now',
    '@user all is fixed',
  ])
  expect(heard.join('\n')).toContain('please look at greet.py')
  expect(heard.join('\n')).toContain('it greets nobody')
  // The finding is in the coder's prompt, and again in the tool's result.
  const [prompt = '', answered = ''] = mending.asked
  const times = (text: string) => text.split('a greeting without a name').length - 1
  expect([times(prompt), times(answered) > times(prompt)]).toEqual([1, true])
  // The reviewer's second turn continues the conversation of the first.
  expect(strict.asked.at(-1)).toContain('One finding')
  expect(strict.asked[0]).toContain('You review, and are strict.')
  const config = fs.readFileSync(join(here, '.workflow/default/mcp.json'), 'utf8')
  expect(JSON.parse(config).mcpServers['workflow-context'].args).toEqual([
    'mcp',
    '--sets',
    'workflow',
  ])
})
