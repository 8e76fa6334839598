// Params: values that whoever runs a file gives with --param NAME=VALUE.

import { quote } from '../core/error.ts'
import { nearest } from '../core/nearest.ts'
import type { RawParam } from './keys.ts'
import type { ParamValue } from './plan.ts'

const LONGEST = 10_000

/** `path` leads to the place in the file, or is empty for what was given on the command line. */
type SayAt = (path: string, what: string, remedy: string) => void

/**
 * `given` is undefined where a file is only checked: then nothing is missing, and a param that has no value stands as
 * its name.
 */
export function readParams(
  declared: readonly RawParam[],
  given: Readonly<Record<string, string>> | undefined,
  say: SayAt,
): Map<string, ParamValue> {
  const values = new Map<string, ParamValue>()
  const names = declared.map(({ name }) => name)
  for (const [index, param] of declared.entries()) {
    if (names.indexOf(param.name) < index) {
      say(`params.${index}.name`, `there are two params ${quote(param.name)}`, 'rename one of them')
      continue
    }
    const value = decide(param, given, (key, ...said) => {
      say(key === undefined ? '' : `params.${index}${key}`, ...said)
    })
    if (value !== undefined) values.set(param.name, value)
  }
  for (const name of Object.keys(given ?? {})) {
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    const known = names.length === 0 ? 'it has none' : `its params are ${names.join(', ')}`
    say('', `the file has no param ${quote(name)}`, meant === undefined ? known : `write ${meant}`)
  }
  return values
}

/** `say` takes the key below the param, or undefined for what was given on the command line. */
function decide(
  { name, type = 'string', required, default: usual }: RawParam,
  given: Readonly<Record<string, string>> | undefined,
  say: (key: string | undefined, what: string, remedy: string) => void,
): ParamValue | undefined {
  if (required && usual !== undefined) {
    say('.required', `${name} is required and has a default`, 'leave one of them out')
  }
  if (usual !== undefined && !isOfType(usual, type)) {
    const what = `the default of ${name} is ${quote(usual)}`
    say('.default', what, `write a ${type}, or change the type`)
    return undefined
  }
  const text = given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined
  if (text !== undefined) {
    const value = parseParam(type, text)
    if (value === undefined) say(undefined, `--param ${name} is ${quote(text)}`, HOW[type])
    return value
  }
  if (usual !== undefined) return usual
  if (given === undefined) return type === 'string' ? name : type === 'number' ? 0 : false
  if (required) {
    say('', `the param ${name} is required and was not given`, `add --param ${name}=VALUE`)
  }
  return undefined
}

type ParamType = NonNullable<RawParam['type']>

function isOfType(value: ParamValue, type: ParamType): boolean {
  const own: string = typeof value
  return own === type
}

const HOW = {
  string: `keep it under ${LONGEST} characters, without NUL`,
  number: 'write a number such as 3 or 0.5',
  boolean: 'write true or false',
}

function parseParam(type: ParamType, text: string): ParamValue | undefined {
  if (text.length > LONGEST || text.includes('\0')) return undefined
  if (type === 'string') return text
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
  return text === 'true' ? true : text === 'false' ? false : undefined
}
