// The executable schema: the SDL and a resolver for each field.

import {
  buildSchema,
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql'
import type { GraphCall } from './calls.ts'
import { ITEM_TYPES } from './items.ts'
import { MUTATIONS } from './mutations.ts'
import { QUERY_TYPES } from './queries.ts'
import { REVIEW_MUTATIONS, RUN_TYPES } from './runs.ts'
import { giveScalars } from './scalars.ts'
import { SDL } from './sdl.gen.ts'

type Resolver = GraphQLFieldResolver<unknown, GraphCall>

export const RESOLVERS = {
  ...QUERY_TYPES,
  ...ITEM_TYPES,
  ...RUN_TYPES,
  Mutation: { ...MUTATIONS, ...REVIEW_MUTATIONS },
} as unknown as Record<string, Record<string, Resolver>>

export function makeSchema(): GraphQLSchema {
  const schema = buildSchema(SDL, { noLocation: true })
  giveScalars(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const resolve = RESOLVERS[type.name]?.[field.name] ?? defaultFieldResolver
      field.resolve = isLeafType(getNamedType(field.type)) ? countValues(resolve) : resolve
    }
  }
  return schema
}

/** Counts the resolved values. Most are available synchronously, and stay so. */
function countValues(resolve: Resolver): Resolver {
  return (source, args, call, info) => {
    const count = (value: unknown) => {
      call.spend(value)
      return value
    }
    const value = resolve(source, args, call, info)
    return value instanceof Promise ? value.then(count) : count(value)
  }
}
