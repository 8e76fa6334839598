import { describe, expect, test } from 'bun:test'
import { SDK } from '../sdk.ts'
import { placeOf, withoutKeys } from './provider.ts'

const KEYS = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', AI_GATEWAY_API_KEY: 'g' }

describe('where a model is reached', () => {
  test.each([
    [
      'anthropic/claude-sonnet-4-5',
      KEYS,
      { way: 'anthropic', model: 'claude-sonnet-4-5', baseURL: 'https://api.anthropic.com/v1' },
    ],
    [
      'anthropic/claude-sonnet-4-5',
      { ...KEYS, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' },
      { baseURL: 'http://127.0.0.1:1/v1', key: 'a' },
    ],
    [
      'openai/gpt-5',
      { ...KEYS, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      { way: 'compatible', model: 'gpt-5', baseURL: 'http://127.0.0.1:1/v1', key: 'o' },
    ],
    [
      'open-router/meta/llama-4',
      { OPEN_ROUTER_BASE_URL: 'https://x.test/api/v1', OPEN_ROUTER_API_KEY: 'r' },
      { way: 'compatible', provider: 'open-router', model: 'meta/llama-4', key: 'r' },
    ],
    [
      'ollama/qwen',
      { OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1' },
      { way: 'compatible', key: '' },
    ],
    [
      'anthropic/x',
      { AI_GATEWAY_API_KEY: 'g' },
      { way: 'gateway', model: 'anthropic/x', key: 'g' },
    ],
    ['mistral/x', KEYS, { way: 'gateway', model: 'mistral/x' }],
    // A known provider's base URL is ignored without its key.
    [
      'anthropic/x',
      { ANTHROPIC_BASE_URL: 'http://a.test', AI_GATEWAY_API_KEY: 'g' },
      { way: 'gateway' },
    ],
  ])('%s with %j', (model, env, place) => {
    expect(placeOf(model, env)).toMatchObject(place)
  })

  test.each([
    [undefined, {}, 'the backend sdk needs a model'],
    ['claude', KEYS, '"claude" names no provider; write PROVIDER/MODEL'],
    ['anthropic/', KEYS, 'names no provider'],
    ['anthropic/x', {}, 'set ANTHROPIC_API_KEY, or AI_GATEWAY_API_KEY for the gateway'],
    ['anthropic/x', { ANTHROPIC_API_KEY: '' }, 'set ANTHROPIC_API_KEY'],
    ['mistral/x', {}, 'set MISTRAL_BASE_URL (and MISTRAL_API_KEY, if it wants one), or AI_GATEWAY'],
    ['ollama/x', { OLLAMA_BASE_URL: 'nowhere' }, 'OLLAMA_BASE_URL is not a URL: "nowhere"'],
  ])('%s with %j is refused before anything starts', (model, env, why) => {
    expect(placeOf(model, env)).toContain(why)
  })
})

test('checks the model, its key and the tool names of a plan', () => {
  const agent = { name: 'coder', backend: 'sdk', tools: ['read_file', 'mailbox', 'Bash'] }
  const problems = SDK.check(agent, { which: () => null, env: {} })
  expect(problems).toHaveLength(2)
  expect(problems[0]).toStartWith('agent coder: the backend sdk needs a model')
  expect(problems[1]).toContain('"Bash" is not a tool of the backend sdk')
  const good = { ...agent, model: 'anthropic/x', tools: ['run_command', 'write_file'] }
  expect(SDK.check(good, { which: () => null, env: KEYS })).toEqual([])
})

test('programs started by a model do not get model keys', () => {
  const env = { ...KEYS, MINE_API_KEY: 'm', OTHER_API_KEY: 'x', PATH: '/bin', INBOX_TOKEN: 't' }
  const left = { OTHER_API_KEY: 'x', PATH: '/bin', INBOX_TOKEN: 't' }
  expect(withoutKeys(env, 'mine/model')).toEqual(left)
})
