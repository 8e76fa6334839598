// The types of requests with a known payload, each with its form. Other types are allowed: their payload can be any
// object, and people see it unformatted.
//
// Forms are data: payloads are checked against them when a request is made, and `request types` shows them.

import { isObject, type Json } from '../json.ts'
import { faultOfSchema } from './answer-form.ts'
import { RISKS } from './request-record.ts'

/** The form of a value. A key ending in a question mark is optional. */
export type PayloadForm =
  | 'text'
  | 'number'
  | 'count'
  | 'object'
  | readonly string[]
  | { listOf: PayloadForm }
  | { keys: Readonly<Record<string, PayloadForm>> }

const RISK: PayloadForm = {
  keys: {
    level: RISKS,
    'score?': 'number',
    reasons: { listOf: 'text' },
    touches: { listOf: 'text' },
  },
}

export const REQUEST_TYPES = {
  config_change: {
    about: 'a change of settings: what they are, and what they are to be',
    form: { keys: { target: 'text', current: 'object', proposed: 'object' } },
  },
  knowledge_upload: {
    about: 'files that are to be added to what agents know',
    form: {
      keys: {
        destination: 'text',
        files: {
          listOf: {
            keys: {
              name: 'text',
              media_type: 'text',
              size: 'count',
              'path?': 'text',
              'text?': 'text',
              'replaces?': 'text',
            },
          },
        },
      },
    },
  },
  tool_invocation: {
    about: 'a call of a tool: which one, with what, and how much can go wrong',
    form: { keys: { tool: 'text', arguments: 'object', 'description?': 'text', 'risk?': RISK } },
  },
  workspace_review: {
    about: 'changes that an agent proposes in its workspace',
    form: {
      keys: {
        body: 'text',
        target_path: 'text',
        changes: {
          listOf: { keys: { kind: 'text', path: 'text', summary: 'text', 'patch?': 'text' } },
        },
      },
    },
  },
  question: {
    about: 'a question: answered in words, by one of its options, or by a form',
    form: { keys: { text: 'text', 'options?': { listOf: 'text' }, 'schema?': 'object' } },
  },
} as const satisfies Record<string, { about: string; form: PayloadForm }>

export type KnownType = keyof typeof REQUEST_TYPES

export function isKnownType(type: string): type is KnownType {
  return Object.hasOwn(REQUEST_TYPES, type)
}

/** Describes the error in the payload of a request of this type; null if there is none. */
export function faultOf(type: string, payload: Json): string | null {
  if (!isKnownType(type)) return null
  return mismatch('payload', REQUEST_TYPES[type].form, payload) ?? furtherFault(type, payload)
}

/** Checks the rules that a form can't express. */
function furtherFault(type: KnownType, payload: Json): string | null {
  if (!isObject(payload)) return null
  if (type === 'question') {
    const both = payload.options !== undefined && payload.schema !== undefined
    if (both) return 'payload has options and a schema; a question has one of them, or neither'
    if (payload.schema !== undefined) return faultOfSchema(payload.schema)
    if (Array.isArray(payload.options) && payload.options.length < 2) {
      return 'payload.options has fewer than two'
    }
  }
  if (type === 'knowledge_upload' && Array.isArray(payload.files)) {
    const bare = payload.files.findIndex((file) => {
      return isObject(file) && (file.path === undefined) === (file.text === undefined)
    })
    if (bare >= 0) return `payload.files[${bare}] needs a path or a text, and not both`
    if (payload.files.length === 0) return 'payload.files is empty'
  }
  return null
}

function mismatch(place: string, form: PayloadForm, value: Json | undefined): string | null {
  if (value === undefined) return `${place} is missing`
  if (typeof form === 'string')
    return isOfForm(form, value) ? null : `${place} is not ${NAMES[form]}`
  if (isChoice(form)) {
    return form.some((word) => word === value) ? null : `${place} is not one of ${form.join(', ')}`
  }
  if ('listOf' in form) {
    if (!Array.isArray(value)) return `${place} is not a list`
    return firstOf(value.map((one, at) => () => mismatch(`${place}[${at}]`, form.listOf, one)))
  }
  if (!isObject(value)) return `${place} is not an object`
  const known = Object.keys(form.keys).map((key) => key.replace(/\?$/, ''))
  const strange = Object.keys(value).find((key) => !known.includes(key))
  if (strange !== undefined)
    return `${place} has ${JSON.stringify(strange)}, which its type does not know`
  return firstOf(
    Object.entries(form.keys).map(([key, of]) => () => {
      const name = key.replace(/\?$/, '')
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      if (own === undefined && name !== key) return null
      return mismatch(`${place}.${name}`, of, own)
    }),
  )
}

const NAMES = {
  text: 'a text',
  number: 'a number',
  count: 'a whole number from 0',
  object: 'an object',
}

function isOfForm(form: keyof typeof NAMES, value: Json): boolean {
  if (form === 'text') return typeof value === 'string'
  if (form === 'object') return isObject(value)
  if (form === 'count') return Number.isSafeInteger(value) && Number(value) >= 0
  return typeof value === 'number'
}

function isChoice(form: PayloadForm): form is readonly string[] {
  return Array.isArray(form)
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check()
    if (found !== null) return found
  }
  return null
}
