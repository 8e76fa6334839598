import { expect, test } from 'bun:test'
import {
  getIntrospectionQuery,
  isEnumType,
  isIntrospectionType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { AGENT_RUN_STATUSES } from '../../../core/requests/agent-run-status.ts'
import { EXPIRIES, REQUEST_POLICIES, RISKS } from '../../../core/requests/request-record.ts'
import { REQUEST_STATUSES } from '../../../core/requests/request-status.ts'
import { LIMITS, mustBeModest } from './limits.ts'
import { makeSchema, RESOLVERS } from './schema.ts'

const schema = makeSchema()
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))

function valuesOf(name: string): string[] {
  const type = schema.getType(name)
  return isEnumType(type) ? type.getValues().map(({ value }) => String(value).toLowerCase()) : []
}

/** Types that need no resolvers, because the operations' results have the same field names. */
const BY_NAME = ['InboxItemTypeCount', 'InboxItemChange', 'InboxItemHold']

test('every schema field has a resolver, and every resolver a field', () => {
  const fields = types
    .filter(isObjectType)
    .filter(({ name }) => !BY_NAME.includes(name))
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
  const all = Object.entries(RESOLVERS)
  const functions = all.flatMap(([type, own]) =>
    Object.keys(own).map((field) => `${type}.${field}`),
  )
  expect(functions.sort()).toEqual(fields.sort())
})

test('the enums have every value that operations use', () => {
  expect(valuesOf('InboxItemStatus').sort()).toEqual([...REQUEST_STATUSES].sort())
  expect(valuesOf('AgentWorkspaceRunStatus')).toEqual(AGENT_RUN_STATUSES)
  expect(valuesOf('InboxItemExpiry')).toEqual([...EXPIRIES])
  expect(valuesOf('InboxItemRisk')).toEqual([...RISKS])
  expect(valuesOf('InboxItemPolicy')).toEqual([...REQUEST_POLICIES])
})

test('an introspection query is within the limits', () => {
  const all = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    oneOf: true,
    schemaDescription: true,
    inputValueDeprecation: true,
  }
  const query = getIntrospectionQuery(all)
  expect(query.length).toBeLessThan(LIMITS.letters / 2)
  mustBeModest(parse(query, { maxTokens: LIMITS.tokens / 2 }))
})

test('every query in docs/graphql.md is valid', async () => {
  const page = await Bun.file(`${import.meta.dir}/../../../../docs/graphql.md`).text()
  const documents = [...page.matchAll(/```graphql\n([^`]*)```/g)].map(([, text = '']) =>
    parse(text),
  )
  expect(documents).toHaveLength(3)
  for (const document of documents) {
    mustBeModest(document)
    expect(validate(schema, document)).toEqual([])
  }
})
