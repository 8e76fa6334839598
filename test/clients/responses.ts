// OpenAI's Responses, which codex uses.

import {
  answerIn,
  type Block,
  type Dialect,
  makeId,
  namedEvents,
  offered,
  sinceOwn,
  textOf,
} from './dialect.ts'

type Item = { type: string; role?: string; output?: string | Block[]; content?: Block[] }
type Tool = { name: string; tools?: { name: string }[] }

export const RESPONSES: Dialect = {
  isTurn: (path, { tools }) => path === '/v1/responses' && Array.isArray(tools) && tools.length > 0,
  heard({ input }) {
    const isOwn = ({ type, role }: Item) => type === 'function_call' || role === 'assistant'
    const fresh = sinceOwn(input as Item[], isOwn)
    const outputs = fresh.flatMap(({ output = [] }) =>
      typeof output === 'string' ? [output] : output.map(textOf),
    )
    return { text: fresh.map(textOf).join('\n'), answer: answerIn(outputs) }
  },
  say(text) {
    const content = [{ type: 'output_text', text }]
    return response({ type: 'message', role: 'assistant', id: `msg_${makeId()}`, content })
  },
  call(tool, args, { tools }) {
    // The tools of one server are grouped under its name.
    const group = (tools as Tool[]).find((one) => one.tools?.some(({ name }) => name === tool))
    const names = (group?.tools ?? (tools as Tool[])).map(({ name }) => name)
    return response({
      type: 'function_call',
      call_id: `call_${makeId()}`,
      name: offered(names, tool),
      ...(group === undefined ? {} : { namespace: group.name }),
      arguments: JSON.stringify(args),
    })
  },
  other: () => ({ models: [], data: [] }),
}

function response(item: object): string {
  const about = { id: `resp_${makeId()}` }
  const tokens = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
  const usage = { ...tokens, input_tokens_details: null, output_tokens_details: null }
  const events = [
    { type: 'response.created', response: about },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...about, usage } },
  ]
  return namedEvents(events)
}
