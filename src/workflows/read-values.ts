// Reads the values of a workflow file according to the table of keys. Reports each faulty value with its place and
// continues.

import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml'
import { quote } from '../core/error.ts'
import { nearest } from '../core/nearest.ts'
import { type FileKey, type KeyShape, LIMITS } from './keys.ts'
import type { FilePlace } from './plan.ts'

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The part of the file that a string was read from, for locating the placeholders in it. */
export type ReadText = { place: FilePlace; source: string; from: number }

type YamlNode = Document['contents']
export type Say = (place: FilePlace, what: string, remedy: string) => void
type ReadValue = { node: YamlNode; value: unknown; place: FilePlace; path: string; depth: number }

type YamlSource = {
  document: Document
  text: string
  placeAt: (offset: number) => FilePlace
  say: Say
}

export class ValueReader {
  readonly places = new Map<string, FilePlace>()
  readonly texts = new Map<string, ReadText>()
  readonly faults: string[] = []
  #values = 0
  readonly #file: YamlSource

  constructor(file: YamlSource) {
    this.#file = file
  }

  /** Returns undefined if the value is left out, or if it's invalid, which is reported. */
  read(written: YamlNode, shape: KeyShape, path: string, depth = 0): unknown {
    this.#values += 1
    const place = this.#placeOf(written)
    if (path !== '') this.places.set(path, place)
    if (this.#values > LIMITS.values || depth > LIMITS.depth) {
      // Report this only once, because it would apply to all values that follow.
      if (this.#values <= LIMITS.values || this.#values === LIMITS.values + 1) {
        this.#say(path, place, 'the file holds too much', 'use fewer aliases and shorter lists')
      }
      return undefined
    }
    const node = isAlias(written) ? written.resolve(this.#file.document) : written
    if (node === undefined) {
      return this.#say(path, place, 'the alias names no anchor', 'write the value out')
    }
    const value = isScalar(node) ? node.value : node
    if (value === null || value === undefined) return undefined
    return this.#readAs(shape, { node: node as YamlNode, value, place, path, depth })
  }

  #readAs(shape: KeyShape, at: ReadValue): unknown {
    switch (shape.is) {
      case 'text':
        return this.#text(shape, at)
      case 'whole':
        return this.#number(shape, at, at.value, 'a whole number')
      case 'span': {
        const seconds = isSpan(at.value) ? secondsOf(at.value) : undefined
        return this.#number(shape, at, seconds, 'seconds, or a time such as 90s, 10m or 2h')
      }
      case 'wakeup':
        if (typeof at.value === 'string' || typeof at.value === 'number') return `${at.value}`
        return this.#wrong(at, 'a time such as 10m, or a cron line such as "0 9 * * 1-5"')
      case 'choice':
        return this.#choice(shape.of, at)
      case 'flag':
        if (typeof at.value === 'boolean') return at.value
        return this.#wrong(at, 'true or false')
      case 'scalar':
        if (['string', 'number', 'boolean'].includes(typeof at.value)) return at.value
        return this.#wrong(at, 'a text, a number, true or false')
      case 'list':
        return this.#list(shape, at)
      case 'names':
        return this.#names(shape, at)
      case 'keys':
        return this.#keys(shape.keys, at)
      case 'off or':
        if (at.value === false) return false
        return this.#readAs(shape.of, at)
    }
  }

  #text(
    { most, line, form }: Extract<KeyShape, { is: 'text' }>,
    at: ReadValue,
  ): string | undefined {
    const { value, place, path, node } = at
    if (typeof value !== 'string') {
      const scalar = isScalar(node)
      return this.#wrong(at, scalar ? 'a text; put quotes around it' : 'a text')
    }
    if (value.includes('\0')) {
      return this.#say(path, place, `${nameOf(path)} holds a NUL character`, 'take it out')
    }
    if (value.length > most) {
      const what = `${nameOf(path)} has ${value.length} characters`
      return this.#say(path, place, what, `keep it under ${most}`)
    }
    if (line && /[\r\n]/.test(value)) {
      return this.#say(path, place, `${nameOf(path)} has several lines`, 'write it on one line')
    }
    if (form && !form.pattern.test(value)) {
      return this.#say(path, place, `${nameOf(path)} is ${quote(value)}`, `write ${form.says}`)
    }
    const [from = 0, to = from] = node?.range ?? []
    this.texts.set(path, { place, source: this.#file.text.slice(from, to), from })
    return value
  }

  #number(
    { least, most }: { least: number; most: number },
    at: ReadValue,
    value: unknown,
    says: string,
  ) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.#wrong(at, says)
    if (value >= least && value <= most) return value
    const what = `${nameOf(at.path)} is ${value}`
    return this.#say(at.path, at.place, what, `write a number from ${least} to ${most}`)
  }

  #choice(of: readonly string[], at: ReadValue): unknown {
    const { value, place, path } = at
    if (typeof value === 'string' && of.includes(value)) return value
    const meant = typeof value === 'string' ? nearest(value, of) : undefined
    const remedy = meant === undefined ? `write ${listOf(of)}` : `write ${meant}`
    return this.#say(path, place, `${nameOf(path)} is ${shown(at)}`, remedy)
  }

  #list({ of, least = 0, most }: Extract<KeyShape, { is: 'list' }>, at: ReadValue): unknown {
    const { node, place, path, depth } = at
    if (!isSeq(node)) return this.#wrong(at, 'a list, with - before each of its lines or in [ ]')
    if (node.items.length > most || node.items.length < least) {
      const remedy = node.items.length > most ? `keep at most ${most}` : `name at least ${least}`
      return this.#say(path, place, `${nameOf(path)} has ${node.items.length} values`, remedy)
    }
    return node.items.flatMap((item, index) => {
      const inner = `${path}.${index}`
      const read = this.read(item as YamlNode, of, inner, depth + 1)
      if (read === undefined && isEmpty(item)) {
        this.#say(
          inner,
          this.#placeOf(item as YamlNode),
          `${nameOf(inner)} is empty`,
          'take the line out',
        )
      }
      return read === undefined ? [] : [read]
    })
  }

  #names({ of, most }: Extract<KeyShape, { is: 'names' }>, at: ReadValue): unknown {
    const { node, place, path, depth } = at
    if (!isMap(node)) return this.#wrong(at, 'names, each with a colon and its keys below')
    if (node.items.length > most) {
      return this.#say(
        path,
        place,
        `${path} has ${node.items.length} names`,
        `keep at most ${most}`,
      )
    }
    const read: [string, unknown][] = []
    for (const pair of node.items) {
      const name = this.#keyOf(pair.key, path)
      if (name === undefined) continue
      const inner = `${path}.${name}`
      this.places.set(`${inner}:`, this.#placeOf(pair.key as YamlNode))
      // Treat a name with nothing below it as having no keys. The table of keys may still reject that.
      const value = this.read(pair.value as YamlNode, of, inner, depth + 1)
      read.push([name, value ?? {}])
    }
    return Object.fromEntries(read)
  }

  #keys(keys: Record<string, FileKey>, at: ReadValue): unknown {
    const { node, place, path, depth } = at
    const known = Object.keys(keys)
    if (!isMap(node)) return this.#wrong(at, `keys: ${known.join(', ')}`)
    const read: [string, unknown][] = []
    for (const pair of node.items) {
      const name = this.#keyOf(pair.key, path)
      if (name === undefined) continue
      const key = Object.hasOwn(keys, name) ? keys[name] : undefined
      if (key === undefined) {
        this.#say(
          path === '' ? name : `${path}.${name}`,
          this.#placeOf(pair.key as YamlNode),
          `${quote(name)} is not a key ${placeIn(path)}`,
          remedyFor(name, known),
        )
        continue
      }
      const inner = path === '' ? name : `${path}.${name}`
      const value = this.read(pair.value as YamlNode, key.shape, inner, depth + 1)
      if (value !== undefined) read.push([name, value])
      else if (isEmpty(pair.value)) this.places.delete(inner)
    }
    for (const [name, { required }] of Object.entries(keys)) {
      const isThere = node.items.some((pair) => isScalar(pair.key) && pair.key.value === name)
      const inner = path === '' ? name : `${path}.${name}`
      if (required && !this.places.has(inner)) {
        const what = isThere ? `${nameOf(inner)} is empty` : `${nameOf(path)} has no ${name}`
        this.#say(inner, place, what, `add ${name}: ${keys[name]?.about ?? ''}`)
      }
    }
    return Object.fromEntries(read)
  }

  #keyOf(key: unknown, path: string): string | undefined {
    if (isScalar(key) && typeof key.value === 'string') return key.value
    if (isScalar(key) && key.value !== null) return `${key.value}`
    return this.#say(
      path,
      this.#placeOf(key as YamlNode),
      'a key must be a word',
      'write NAME: before the value',
    )
  }

  #wrong(at: ReadValue, says: string): undefined {
    return this.#say(at.path, at.place, `${nameOf(at.path)} is ${shown(at)}`, `write ${says}`)
  }

  #say(path: string, place: FilePlace, what: string, remedy: string): undefined {
    this.faults.push(path)
    this.#file.say(place, what, remedy)
  }

  #placeOf(node: YamlNode): FilePlace {
    return this.#file.placeAt(node?.range?.[0] ?? 0)
  }
}

function isSpan(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && (node.value === null || node.value === undefined))
}

function shown({ node, value }: ReadValue): string {
  if (isMap(node)) return 'a group of keys'
  if (isSeq(node)) return 'a list'
  return typeof value === 'object' ? 'a value with a tag' : quote(value)
}

/** Parses a duration such as 30s, 10m, 2h or 1d, or a number of seconds. Returns undefined for any other value. */
export function secondsOf(written: string | number): number | undefined {
  if (typeof written === 'number') return Number.isInteger(written) ? written : undefined
  const [, digits = '', unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(written.trim()) ?? []
  const factor = UNITS[unit]
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor
}

function nameOf(path: string): string {
  return path === '' ? 'the file' : path
}

function placeIn(path: string): string {
  return path === '' ? 'of a workflow file' : `of ${path}`
}

/** Keys of similar formats that this one doesn't have, and what to use instead. */
const REPLACEMENTS: Record<string, string> = {
  completion: 'leave it out: run ends when all agents are idle, start continues until stop',
  '<<': 'write the keys out, or use an alias for a whole value',
  prompt: 'write system_prompt',
  documents: 'put it under context, config',
}

function remedyFor(name: string, known: readonly string[]): string {
  const meant = nearest(name.toLowerCase(), known)
  if (meant !== undefined) return `write ${meant}`
  return REPLACEMENTS[name] ?? `the keys are ${known.join(', ')}`
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
