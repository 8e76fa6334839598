// The schema as it runs: the text, and for every field of it the function that answers.

import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
} from 'graphql'
import type { GraphCall } from './calls.ts'
import { ITEM_TYPES } from './items.ts'
import { MUTATION_TYPES } from './mutations.ts'
import { QUERY_TYPES } from './queries.ts'
import { giveScalars } from './scalars.ts'
import { SDL } from './sdl.gen.ts'

type Resolver = GraphQLFieldResolver<unknown, GraphCall>

const RESOLVERS = { ...QUERY_TYPES, ...MUTATION_TYPES, ...ITEM_TYPES } as unknown as Record<
  string,
  Record<string, Resolver>
>

export function makeSchema(): GraphQLSchema {
  const schema = buildSchema(SDL, { noLocation: true })
  giveScalars(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const resolve = RESOLVERS[type.name]?.[field.name]
      if (resolve !== undefined) field.resolve = resolve
    }
  }
  return schema
}
