// Anthropic's Messages, which claude uses.

import {
  answerIn,
  type Block,
  type Body,
  type Dialect,
  makeId,
  namedEvents,
  offered,
  sinceOwn,
  textOf,
} from './dialect.ts'

type Message = { role: string; content: string | Block[] }

export const MESSAGES: Dialect = {
  isTurn: (path, { tools }) => path === '/v1/messages' && Array.isArray(tools) && tools.length > 0,
  heard({ messages }) {
    const fresh = sinceOwn(messages as Message[], ({ role }) => role === 'assistant')
    const blocks = fresh.flatMap(({ content }) =>
      typeof content === 'string' ? [{ text: content }] : content,
    )
    const results = blocks.filter(({ type }) => type === 'tool_result')
    return { text: blocks.map(textOf).join('\n'), answer: answerIn(results.map(textOf)) }
  },
  say: (text, body) =>
    message(body, 'end_turn', { type: 'text', text: '' }, { type: 'text_delta', text }),
  call(tool, args, body) {
    const names = (body.tools as { name: string }[]).map(({ name }) => name)
    return message(
      body,
      'tool_use',
      { type: 'tool_use', id: `toolu_${makeId()}`, name: offered(names, tool), input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
    )
  },
  other: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 1000 } : {}),
}

function message({ model }: Body, stop_reason: string, block: object, delta: object): string {
  const usage = { input_tokens: 10, output_tokens: 10 }
  const about = { id: `msg_${makeId()}`, type: 'message', role: 'assistant', model, content: [] }
  const begun = { ...about, stop_reason: null, stop_sequence: null, usage }
  const ended = { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } }
  const events = [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', ...ended },
    { type: 'message_stop' },
  ]
  return namedEvents(events)
}
