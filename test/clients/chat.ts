// Chat completions, which opencode uses with any OpenAI-compatible provider.

import {
  answerIn,
  type Block,
  type Dialect,
  makeId,
  offered,
  plainEvents,
  sinceOwn,
  textOf,
} from './dialect.ts'

type Message = { role: string } & Block
type Tools = { function: { name: string } }[]

export const CHAT: Dialect = {
  isTurn: (path, { tools }) => path === '/v1/chat/completions' && Array.isArray(tools),
  heard({ messages }) {
    const fresh = sinceOwn(messages as Message[], ({ role }) => role === 'assistant')
    const results = fresh.filter(({ role }) => role === 'tool')
    return { text: fresh.map(textOf).join('\n'), answer: answerIn(results.map(textOf)) }
  },
  say: (content) => completed({ content }, 'stop'),
  call(tool, args, { tools }) {
    const names = (tools as Tools).map((one) => one.function.name)
    const call = { name: offered(names, tool), arguments: JSON.stringify(args) }
    const calls = [{ index: 0, id: `call_${makeId()}`, type: 'function', function: call }]
    return completed({ tool_calls: calls }, 'tool_calls')
  },
  other: () => ({ data: [] }),
}

function completed(delta: object, finish_reason: string): string {
  const about = {
    id: `chat_${makeId()}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
  }
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  const chunks = [
    {
      ...about,
      choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }],
    },
    { ...about, choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ]
  return `${plainEvents(chunks)}data: [DONE]\n\n`
}
