// How two vendors' programs talk to their models: the little of it that a script needs.

import { randomUUID } from 'node:crypto'
import type { Heard, ToolAnswer } from './model.ts'

type Body = Record<string, unknown>
type Event = { type: string } & Body

export type Dialect = {
  paths: string[]
  /** Not one of the small questions a program asks beside its conversation. */
  isTurn: (body: Body) => boolean
  heard: (body: Body) => Heard
  say: (text: string, body: Body) => Event[]
  call: (tool: string, args: object, body: Body) => Event[]
  /** What else it asks. */
  other: (path: string) => object
}

type Block = { type: string; text?: string; content?: string | Block[] }
type Named = { type?: string; name: string; tools?: Named[] }

/** Anthropic's Messages, which claude speaks. */
export const MESSAGES: Dialect = {
  paths: ['/v1/messages'],
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  heard({ messages }) {
    const all = messages as { role: string; content: string | Block[] }[]
    const own = all.findLastIndex(({ role }) => role === 'assistant')
    const blocks = all
      .slice(own + 1)
      .flatMap(({ content }) =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      )
    const results = blocks.filter(({ type }) => type === 'tool_result')
    return { text: blocks.map(textOf).join('\n'), answer: answerIn(results.flatMap(textsOf)) }
  },
  say: (text, body) =>
    message(body, 'end_turn', { type: 'text', text: '' }, { type: 'text_delta', text }),
  call(tool, args, body) {
    const names = (body.tools as Named[]).map(({ name }) => name)
    const name = named(names, (one) => one.endsWith(`__${tool}`), tool)
    return message(
      body,
      'tool_use',
      { type: 'tool_use', id: `toolu_${id()}`, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
    )
  },
  other: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 1000 } : {}),
}

function message({ model }: Body, stop_reason: string, block: object, delta: object): Event[] {
  const usage = { input_tokens: 10, output_tokens: 10 }
  const about = { id: `msg_${id()}`, type: 'message', role: 'assistant', model, content: [] }
  return [
    { type: 'message_start', message: { ...about, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ]
}

type Item = { type: string; role?: string; output?: string | Block[]; content?: Block[] }

/** OpenAI's Responses, which codex speaks. */
export const RESPONSES: Dialect = {
  paths: ['/v1/responses'],
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  heard({ input }) {
    const items = input as Item[]
    // What came after the model's own last word.
    const own = items.findLastIndex(
      ({ type, role }) => type === 'function_call' || role === 'assistant',
    )
    const fresh = items.slice(own + 1)
    const results = fresh.filter(({ type }) => type === 'function_call_output')
    return {
      text: fresh.map(({ content = [] }) => content.map(textOf).join('\n')).join('\n'),
      answer: answerIn(
        results.flatMap(({ output = '' }) =>
          typeof output === 'string' ? [output] : output.map(textOf),
        ),
      ),
    }
  },
  say: (text) =>
    response({
      type: 'message',
      role: 'assistant',
      id: `msg_${id()}`,
      content: [{ type: 'output_text', text }],
    }),
  call(tool, args, body) {
    const { name, namespace } = among(body.tools as Named[], tool)
    return response({
      type: 'function_call',
      call_id: `call_${id()}`,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(args),
    })
  },
  other: () => ({ models: [], data: [] }),
}

function among(tools: Named[], tool: string): { name: string; namespace?: string } {
  for (const { name: namespace, tools: inner = [] } of tools) {
    const found = inner.find(({ name }) => name === tool)
    if (found !== undefined) return { name: found.name, namespace }
  }
  const names = tools.map(({ name }) => name)
  return { name: named(names, (one) => one?.endsWith(`__${tool}`), tool) }
}

function response(item: object): Event[] {
  const about = { id: `resp_${id()}` }
  const tokens = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
  const usage = { ...tokens, input_tokens_details: null, output_tokens_details: null }
  return [
    { type: 'response.created', response: about },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...about, usage } },
  ]
}

function named(names: string[], is: (name: string) => boolean, tool: string): string {
  const found = names.find(is)
  if (found === undefined) throw new Error(`no tool ${tool} was offered; only ${names.join(', ')}`)
  return found
}

function textOf({ text, content }: Block): string {
  if (text !== undefined) return text
  return typeof content === 'string' ? content : (content ?? []).map(textOf).join('\n')
}

function textsOf({ content = '' }: Block): string[] {
  return typeof content === 'string' ? [content] : content.map(textOf)
}

/** The last that is JSON is what the tool answered; before it come words of ours. */
function answerIn(texts: string[]): ToolAnswer {
  const lines = texts.flatMap((text) => [text, ...text.split('\n')])
  for (const text of lines.toReversed()) {
    try {
      return JSON.parse(text) as ToolAnswer
    } catch {
      // Words.
    }
  }
  return {}
}

function id(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24)
}
