// POST /graphql: the approval queue for programs that speak GraphQL. The code that runs documents is loaded with the
// first request.

import { quote } from '../../core/error.ts'
import { parseExactJson } from '../../ops/kit/exact-json.ts'
import { decline } from './answer.ts'
import { readBody } from './body.ts'
import type { GraphRequest } from './graphql/answer.ts'
import type { IdentifiedCall, Route } from './route.ts'
import { textAnswer } from './send-answer.ts'

const TEXT = { type: 'string' }
const OWN_TYPE = 'application/graphql-response+json'
/** The members of a request. Extensions are accepted and ignored. */
const MEMBERS = ['query', 'variables', 'operationName', 'extensions']
const CALL_SECONDS = 60

export const GRAPHQL_ROUTE: Route = {
  method: 'POST',
  path: '/graphql',
  who: 'known',
  about:
    'The requests as inbox items, over GraphQL. Each mutation takes its idempotency key as the argument idempotencyKey.',
  gives: OWN_TYPE,
  body: {
    type: 'object',
    properties: {
      query: { ...TEXT, description: 'the document' },
      variables: { type: 'object', description: 'the values of its variables' },
      operationName: { ...TEXT, description: 'the operation, where the document has several' },
    },
    required: ['query'],
  },
  run: speakGraphQl,
}

async function speakGraphQl(asked: IdentifiedCall): Promise<Response> {
  const { request, connection } = asked
  connection.allowSeconds(CALL_SECONDS)
  const type = typeWanted(request.headers)
  if (request.headers.has('idempotency-key')) {
    throw decline(400, 'each mutation takes its own idempotencyKey; leave Idempotency-Key out')
  }
  const given = requestIn(await readBody(asked))
  const { answerGraph } = await import('./graphql/answer.ts')
  const { text, isRun } = await answerGraph(asked, given)
  // With the older type, the status only says whether the body is a GraphQL response.
  const status = isRun || type !== OWN_TYPE ? 200 : 400
  return textAnswer(text, { status, headers: { 'content-type': `${type}; charset=utf-8` } })
}

/** The type of the response: GraphQL's, unless the caller only accepts plain JSON. */
function typeWanted(headers: Headers): string {
  const accept = headers.get('accept') ?? '*/*'
  const ranges = accept.split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';')
    const isRefused = parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one))
    return isRefused ? [] : [name.trim()]
  })
  if (ranges.includes(OWN_TYPE)) return OWN_TYPE
  if (ranges.includes('application/json')) return 'application/json'
  if (ranges.includes('*/*') || ranges.includes('application/*')) return OWN_TYPE
  throw decline(406, `this answers with ${OWN_TYPE} or application/json`)
}

function requestIn(body: string): GraphRequest {
  let value: unknown
  try {
    value = parseExactJson(body)
  } catch {
    throw decline(400, 'the body is not JSON')
  }
  if (Array.isArray(value)) {
    throw decline(400, 'several documents in one body are not taken; send each by itself')
  }
  if (!isObject(value)) throw decline(400, 'the body must be a JSON object')
  const stray = Object.keys(value).find((name) => !MEMBERS.includes(name))
  if (stray !== undefined) {
    throw decline(400, `there is no member ${quote(stray)}; there are ${MEMBERS.join(', ')}`)
  }
  const { query, variables = null, operationName = null } = value
  if (typeof query !== 'string') throw decline(400, 'query must be text: the document')
  if (variables !== null && !isObject(variables)) throw decline(400, 'variables must be an object')
  if (operationName !== null && typeof operationName !== 'string') {
    throw decline(400, 'operationName must be text')
  }
  return { query, variables, operationName }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
