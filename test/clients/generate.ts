// Google's generateContent, which gemini uses.

import { answerIn, type Dialect, offered, plainEvents, sinceOwn } from './dialect.ts'

type Part = { text?: string; functionResponse?: { response: { output?: string; error?: string } } }
type Content = { role: string; parts: Part[] }
type Tools = { functionDeclarations?: { name: string }[] }[]

export const GENERATE: Dialect = {
  isTurn: (path, { tools }) => path.endsWith(':streamGenerateContent') && Array.isArray(tools),
  heard({ contents }) {
    const fresh = sinceOwn(contents as Content[], ({ role }) => role === 'model')
    const parts = fresh.flatMap((one) => one.parts)
    const results = parts.flatMap(({ functionResponse }) => functionResponse?.response ?? [])
    return {
      text: parts.map(({ text = '' }) => text).join('\n'),
      answer: answerIn(results.map(({ output, error }) => output ?? error ?? '')),
    }
  },
  say: (text) => generated({ text }),
  call(tool, args, { tools }) {
    const declared = (tools as Tools).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations,
    )
    const name = offered(
      declared.map(({ name }) => name),
      tool,
    )
    return generated({ functionCall: { name, args } })
  },
  other: () => ({ candidates: [], totalTokens: 1000 }),
}

function generated(part: object): string {
  const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }
  const tokens = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 }
  return plainEvents([{ candidates: [candidate], usageMetadata: tokens }])
}
