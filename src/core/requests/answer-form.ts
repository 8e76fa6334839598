// The form of an answer to a question: the flat subset of JSON Schema that MCP uses to ask people. It's an object whose
// properties are strings, numbers, booleans or choices, without nesting.
//
// Every part of a form is checked. A question with an unknown keyword, or a keyword with a meaningless value, is
// refused when it's asked, because the caller would rely on the keyword.

import { field, type Sentence, sentence } from '../error.ts'
import { isObject, type Json } from '../json.ts'

type Property = { [key: string]: Json }
type KeywordForm = 'text' | 'number' | 'length' | 'format' | 'texts' | 'choices' | 'any'

const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value),
  date: isDate,
  'date-time': isDateTime,
}

const KEYWORD_FAULTS: Record<KeywordForm, string> = {
  text: 'not a text',
  number: 'not a number',
  length: 'not a whole number from 0',
  format: `not one of ${Object.keys(FORMATS).join(', ')}`,
  texts: 'not a list of texts, each of them once',
  choices: 'not a list of choices such as {"const":"a","title":"A"}, each of them once',
  any: '',
}

const EVERY = { type: 'text', title: 'text', description: 'text', default: 'any' } as const
const NUMBER = { ...EVERY, minimum: 'number', maximum: 'number' } as const

/** The keywords of each type of property, and the form of their values. */
const KEYWORDS: Readonly<Record<string, Readonly<Record<string, KeywordForm>>>> = {
  string: {
    ...EVERY,
    minLength: 'length',
    maxLength: 'length',
    format: 'format',
    enum: 'texts',
    enumNames: 'texts',
    oneOf: 'choices',
  },
  number: NUMBER,
  integer: NUMBER,
  boolean: EVERY,
}
const TYPES = Object.keys(KEYWORDS)
const FORM_KEYWORDS = [
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]
const MOST_PROPERTIES = 50

/** Describes the error in the schema; null if it is fine. */
export function faultOfSchema(schema: Json): string | null {
  if (!isObject(schema) || schema.type !== 'object') return 'the schema is not of type object'
  const { properties, required, additionalProperties } = schema
  if (!isObject(properties)) return 'the schema has no properties'
  const entries = Object.entries(properties)
  if (entries.length === 0) return 'the schema has no properties'
  if (entries.length > MOST_PROPERTIES) return `the schema has over ${MOST_PROPERTIES} properties`
  const unknown = Object.keys(schema).find((key) => !FORM_KEYWORDS.includes(key))
  if (unknown !== undefined) {
    return `the schema has ${JSON.stringify(unknown)}, which a form does not have; it has ${FORM_KEYWORDS.join(', ')}`
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    return 'the additionalProperties of the schema is not false: nothing else may be answered'
  }
  for (const [name, property] of entries) {
    const fault = faultOfProperty(property)
    if (fault !== null) return `property ${JSON.stringify(name)} ${fault}`
  }
  if (required === undefined) return null
  if (!isTexts(required)) return 'the required of the schema is not a list of texts'
  const strange = required.find((name) => !Object.hasOwn(properties, name))
  return strange === undefined ? null : `${JSON.stringify(strange)} is required and not a property`
}

function faultOfProperty(property: Json): string | null {
  if (!isObject(property)) return 'is not an object'
  const { type } = property
  if (typeof type !== 'string' || !TYPES.includes(type)) return `is not of type ${TYPES.join(', ')}`
  const known = KEYWORDS[type] ?? {}
  for (const [keyword, value] of Object.entries(property)) {
    const form = Object.hasOwn(known, keyword) ? known[keyword] : undefined
    if (form === undefined) {
      return `has ${JSON.stringify(keyword)}, which type ${type} does not have in a form; it has ${Object.keys(known).join(', ')}`
    }
    if (!isOfForm(form, value)) return `has ${keyword} ${written(value)}, ${KEYWORD_FAULTS[form]}`
  }
  return faultTogether(property)
}

function faultTogether(property: Property): string | null {
  const { enum: words, enumNames, oneOf } = property
  if (words !== undefined && oneOf !== undefined) return 'has enum and oneOf; use one of them'
  if (isTexts(enumNames) && (!isTexts(words) || words.length !== enumNames.length)) {
    return 'has enumNames that are not as many as its enum'
  }
  for (const [least, most] of [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
  ] as const) {
    if (Number(property[least]) > Number(property[most])) return `has a ${least} above its ${most}`
  }
  if (property.default === undefined) return null
  const fault = faultOfValue(property, property.default)
  return fault === null ? null : `has a default that ${fault}`
}

/** Describes the error in the answer; null if it fits the schema. */
export function faultOfAnswer(schema: Json, answer: Json): string | null {
  const broken = faultOfSchema(schema)
  // A question from an imported log may never have been checked.
  if (broken !== null || !isObject(schema) || !isObject(schema.properties)) {
    return `its form cannot be answered: ${broken}; ask for a revision`
  }
  if (!isObject(answer)) return 'the answer is not an object'
  const { properties, required } = schema
  const strange = Object.keys(answer).find((name) => !Object.hasOwn(properties, name))
  if (strange !== undefined) return `${JSON.stringify(strange)} was not asked for`
  const needed = isTexts(required) ? required : []
  const missing = needed.find((name) => !Object.hasOwn(answer, name))
  if (missing !== undefined) return `${JSON.stringify(missing)} is missing`
  for (const [name, value] of Object.entries(answer)) {
    const fault = faultOfValue(properties[name] as Property, value)
    if (fault !== null) return `${JSON.stringify(name)} ${fault}`
  }
  return null
}

/** Describes the error in the reply to a question; null if it answers the question. */
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

type OfferedAnswer = { value: string; label: string }

export function choicesOf({ enum: words, enumNames, oneOf }: Property): OfferedAnswer[] | null {
  if (isChoices(oneOf)) return oneOf.map(({ const: value, title }) => ({ value, label: title }))
  if (!isTexts(words)) return null
  const names = isTexts(enumNames) ? enumNames : []
  return words.map((value, at) => ({ value, label: names[at] ?? value }))
}

function faultOfValue(property: Property, value: Json): string | null {
  const { type, minimum, maximum } = property
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'is not true or false'
  if (type === 'string') {
    return typeof value === 'string' ? faultOfText(property, value) : 'is not a text'
  }
  if (typeof value !== 'number') return 'is not a number'
  if (type === 'integer' && !Number.isSafeInteger(value)) return 'is not a whole number'
  if (typeof minimum === 'number' && value < minimum) return `is less than ${minimum}`
  return typeof maximum === 'number' && value > maximum ? `is more than ${maximum}` : null
}

function faultOfText(property: Property, value: string): string | null {
  const { minLength, maxLength, format } = property
  const choices = choicesOf(property)?.map((one) => one.value)
  if (choices !== undefined && !choices.includes(value))
    return `is not one of ${choices.join(', ')}`
  // JSON Schema counts characters: an emoji counts as one, although it's two UTF-16 units.
  const length = [...value].length
  if (typeof minLength === 'number' && length < minLength) return `is shorter than ${minLength}`
  if (typeof maxLength === 'number' && length > maxLength) return `is longer than ${maxLength}`
  const fits = typeof format === 'string' ? FORMATS[format] : undefined
  return fits === undefined || fits(value) ? null : `is not of format ${format}`
}

function isOfForm(form: KeywordForm, value: Json): boolean {
  switch (form) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'length':
      return Number.isSafeInteger(value) && Number(value) >= 0
    case 'format':
      return typeof value === 'string' && Object.hasOwn(FORMATS, value)
    case 'texts':
      return isTexts(value) && areChoices(value)
    case 'choices':
      return isChoices(value) && areChoices(value.map((one) => one.const))
    default:
      return true
  }
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isChoices(value: Json | undefined): value is { const: string; title: string }[] {
  return Array.isArray(value) && value.every(isChoice)
}

function isChoice(value: Json): boolean {
  if (!isObject(value) || Object.keys(value).length !== 2) return false
  return typeof value.const === 'string' && typeof value.title === 'string'
}

function areChoices(values: readonly string[]): boolean {
  return values.length > 0 && new Set(values).size === values.length
}

/** Checks that the date exists: Date would turn an impossible one into another date, or fail. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const at = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)
}

function isDateTime(value: string): boolean {
  const [day = '', time = ''] = [value.slice(0, 10), value.slice(10)]
  return isDate(day) && TIME.test(time)
}

const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

function written(value: Json): string {
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
