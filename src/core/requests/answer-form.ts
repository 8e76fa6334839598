// The form of an answer to a question: the flat part of JSON Schema that MCP uses for asking people. An object whose
// properties are texts, numbers, flags or choices, and nothing inside them.

import { field, type Sentence, sentence } from '../sentence.ts'
import { isObject, type Json } from './json.ts'

const TYPES = ['string', 'number', 'integer', 'boolean'] as const
const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
}
const MOST_PROPERTIES = 50

type Property = { [key: string]: Json }

/** Says what is wrong with the schema itself; null when nothing is. */
export function faultOfSchema(schema: Json): string | null {
  if (!isObject(schema) || schema.type !== 'object') return 'the schema is not of type object'
  if (!isObject(schema.properties)) return 'the schema has no properties'
  const entries = Object.entries(schema.properties)
  if (entries.length === 0) return 'the schema has no properties'
  if (entries.length > MOST_PROPERTIES) return `the schema has over ${MOST_PROPERTIES} properties`
  for (const [name, property] of entries) {
    if (!isObject(property)) return `property ${JSON.stringify(name)} is not an object`
    if (!TYPES.some((type) => type === property.type)) {
      return `property ${JSON.stringify(name)} is not of type ${TYPES.join(', ')}`
    }
    if (property.enum !== undefined && !isTexts(property.enum)) {
      return `the enum of property ${JSON.stringify(name)} is not a list of texts`
    }
  }
  const strange = requiredOf(schema).find(
    (name) => !Object.hasOwn(schema.properties as object, name),
  )
  return strange === undefined ? null : `${JSON.stringify(strange)} is required and not a property`
}

/** Says what is wrong with the answer; null when it fits the schema. */
export function faultOfAnswer(schema: Json, answer: Json): string | null {
  if (!isObject(schema) || !isObject(schema.properties)) return 'the question has no form'
  if (!isObject(answer)) return 'the answer is not an object'
  const { properties } = schema
  const strange = Object.keys(answer).find((name) => !Object.hasOwn(properties, name))
  if (strange !== undefined) return `${JSON.stringify(strange)} was not asked for`
  const missing = requiredOf(schema).find((name) => !Object.hasOwn(answer, name))
  if (missing !== undefined) return `${JSON.stringify(missing)} is missing`
  for (const [name, value] of Object.entries(answer)) {
    const fault = faultOfValue(properties[name] as Property, value)
    if (fault !== null) return `${JSON.stringify(name)} ${fault}`
  }
  return null
}

/** Says what is wrong with the reply to a question; null when it answers what was asked. */
export function faultOfReply(
  question: Json,
  reply: { answer?: string | undefined; values?: string | undefined },
): Sentence | null {
  const { answer, values } = reply
  const asked = isObject(question) ? question : {}
  if (asked.schema !== undefined) {
    if (values === undefined)
      return sentence`the question has a form: answer it with ${field('values')}`
    return faultOfAnswer(asked.schema, JSON.parse(values) as Json)
  }
  if (values !== undefined)
    return sentence`the question has no form: answer it with ${field('answer')}`
  if (answer === undefined) return sentence`the question needs ${field('answer')}`
  if (!isTexts(asked.options) || asked.options.includes(answer)) return null
  return `${JSON.stringify(answer)} is not one of its options: ${asked.options.join(', ')}`
}

function faultOfValue(property: Property, value: Json): string | null {
  const { type, minimum, maximum, minLength, maxLength, format } = property
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'is not true or false'
  if (type === 'string') {
    if (typeof value !== 'string') return 'is not a text'
    const { enum: words } = property
    if (isTexts(words) && !words.includes(value)) return `is not one of ${words.join(', ')}`
    if (typeof minLength === 'number' && value.length < minLength)
      return `is shorter than ${minLength}`
    if (typeof maxLength === 'number' && value.length > maxLength)
      return `is longer than ${maxLength}`
    const shape = typeof format === 'string' ? FORMATS[format] : undefined
    return shape === undefined || shape.test(value) ? null : `is not of format ${format}`
  }
  if (typeof value !== 'number') return 'is not a number'
  if (type === 'integer' && !Number.isSafeInteger(value)) return 'is not a whole number'
  if (typeof minimum === 'number' && value < minimum) return `is less than ${minimum}`
  return typeof maximum === 'number' && value > maximum ? `is more than ${maximum}` : null
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function requiredOf({ required }: Property): string[] {
  return isTexts(required) ? required : []
}
