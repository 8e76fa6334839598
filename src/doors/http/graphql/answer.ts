// Answers one GraphQL request: parses the document, measures it, validates it against the schema and runs it. If a
// document is refused, no part of it runs.

import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import {
  CODES,
  camelCase,
  type DoorWords,
  type Refusal,
  refusalIn,
  refuse,
} from '../../../core/error.ts'
import { maskSecrets } from '../../../core/secret.ts'
import { HttpRefusal } from '../answer.ts'
import { makeHttpWords } from '../ops-route.ts'
import type { IdentifiedCall } from '../route.ts'
import { maskBug } from '../server-log.ts'
import { makeGraphCall } from './calls.ts'
import { LIMITS, mustBeModest } from './limits.ts'
import { makeSchema } from './schema.ts'

export type GraphRequest = {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}

/** `isRun` is false if the whole document was refused, in which case there is no data. */
export type GraphAnswer = { text: string; isRun: boolean }

/** Limits how many errors are reported, because further ones would only repeat the first ones. */
const MOST_ERRORS = 10
const MOST_FAILED = 100

let schema: GraphQLSchema | undefined

export async function answerGraph(
  asked: IdentifiedCall,
  { query, variables, operationName }: GraphRequest,
): Promise<GraphAnswer> {
  schema ??= makeSchema()
  const document = read(schema, query)
  if (!('kind' in document)) return refuseDocument(asked, document)
  const call = makeGraphCall(asked)
  const { data, errors = [] } = await execute({
    schema,
    document,
    contextValue: call,
    variableValues: variables ?? {},
    operationName: operationName ?? null,
    options: { maxCoercionErrors: MOST_ERRORS },
  })
  if (data === undefined) return refuseDocument(asked, errors)
  const said = errors.length === 0 ? '' : `"errors":${errorsText(asked, errors)},`
  const isNoted = Object.keys(call.notes).length > 0
  const beside = isNoted ? `,"extensions":${JSON.stringify(call.notes)}` : ''
  return { text: `{${said}"data":${JSON.stringify(data)}${beside}}\n`, isRun: true }
}

function read(against: GraphQLSchema, query: string): DocumentNode | readonly GraphQLError[] {
  try {
    if (query.length > LIMITS.letters)
      throw refuse.invalid_input`the document has ${query.length} characters; at most ${LIMITS.letters} fit: put long values into variables`
    const document = parse(query, { maxTokens: LIMITS.tokens })
    mustBeModest(document)
    const errors = validate(against, document, specifiedRules, { maxErrors: MOST_ERRORS })
    return errors.length === 0 ? document : errors
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    const { message } = error as Error
    return [new GraphQLError(message, { originalError: error as Error })]
  }
}

function refuseDocument(asked: IdentifiedCall, errors: readonly GraphQLError[]): GraphAnswer {
  return { text: `{"errors":${errorsText(asked, errors)}}\n`, isRun: false }
}

/** Masks secrets, because errors repeat the caller's input and end up in reports. */
function errorsText(asked: IdentifiedCall, errors: readonly GraphQLError[]): string {
  const told = errors.slice(0, MOST_FAILED).map((error) => describe(asked, error))
  return maskSecrets(JSON.stringify(told))
}

function describe({ server, request }: IdentifiedCall, error: GraphQLError): object {
  const { locations, path, originalError } = error
  const { message, extensions } = describeCause(error, originalError, () => {
    return maskBug(server, { method: request.method, route: '/graphql' }, originalError)
  })
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions,
  }
}

const WRONG = { code: 'invalid_input', status: CODES.invalid_input.http, details: {} }

function describeCause(
  { message }: GraphQLError,
  cause: Error | undefined,
  mask: () => { code: 'internal'; message: string; details: Record<string, unknown> },
): GraphRefusal {
  if (cause === undefined || cause instanceof GraphQLError) return { message, extensions: WRONG }
  const refusal = cause instanceof HttpRefusal ? cause.refusal : refusalIn(cause)
  if (refusal !== undefined) return describeRefusal(refusal)
  const { code, message: masked, details } = mask()
  return { message: masked, extensions: { code, status: CODES[code].http, details } }
}

/** Arguments that are named or nested differently from the operation's fields. */
const ARGUMENTS: Record<string, string> = {
  request: 'id',
  notes: 'input.reviewNotes',
  values: 'input.decisionValues',
  payload: 'input.config',
  from: 'requesterId',
  to: 'recipientId',
  agent: 'requesterId',
  workspace: 'workspaceId',
  body: 'input.content',
  grace_seconds: 'input.graceSeconds',
  thread: 'input.linkedId',
}

const OPERATIONS: Record<string, string> = {
  'request create': 'createInboxItem',
  'request list': 'inboxItems',
  'request get': 'inboxItem',
  approve: 'approveInboxItem',
  reject: 'rejectInboxItem',
  'request-revision': 'requestRevisionInboxItem',
  resubmit: 'resubmitInboxItem',
  'cancel-request': 'cancelInboxItem',
  comment: 'addInboxItemComment',
  'undo-decision': 'undoInboxItemDecision',
  'request link': 'addInboxItemLink',
  'request unlink': 'removeInboxItemLink',
}

const elsewhere = makeHttpWords()

const field = (name: string) => ARGUMENTS[name] ?? camelCase(name.replaceAll('_', '-'))

const WORDS: DoorWords = {
  field,
  caller: field,
  operation(name, input) {
    const own = OPERATIONS[name]
    if (own === undefined) return elsewhere.operation(name, input)
    const given = Object.entries(input).map(([key, value]) => {
      return `${field(key)}: ${JSON.stringify(value)}`
    })
    return given.length === 0 ? own : `${own}(${given.join(', ')})`
  },
}

type GraphRefusal = {
  message: string
  extensions: { code: string; status: number; details: Record<string, unknown> }
}

function describeRefusal(refusal: Refusal): GraphRefusal {
  const { code, details } = refusal
  return {
    message: refusal.inWords(WORDS),
    extensions: { code, status: CODES[code].http, details },
  }
}
