// Finds placeholders, `${{ name }}`, and fills them in. `$${{` is an escaped `${{`. The origin of each value is tracked
// until the kickoff is sent, because mentions only count in the text of the file and in params.

import { quote } from '../core/error.ts'
import { nearest } from '../core/nearest.ts'
import type { FillScope } from './keys.ts'
import type { FilePlace, KickoffPiece, Problem } from './plan.ts'

/** Built-in placeholders begin with these names, so setup outputs can't use them. */
export const RESERVED_VALUES = ['env', 'workflow', 'context', 'params', 'instance'] as const

/** The value of a name. `pieces` is called when the name is used, and may use other names with `fill`. */
export type FillName = {
  pieces: (fill: FillText) => KickoffPiece[] | { why: string; remedy: string }
}

type FillText = (path: string, text: string) => KickoffPiece[]

export type FillPlace = { place: FilePlace; source?: { text: string; from: number }; file?: string }

type FillSource = {
  names: ReadonlyMap<string, FillName>
  env: (name: string) => KickoffPiece[] | undefined
  placeOf: (path: string) => FillPlace
  placeAt: (offset: number) => FilePlace
}

export class Fill {
  readonly problems: Problem[] = []
  readonly #source: FillSource
  /** Names whose values are being computed, to find cycles. */
  readonly #under: string[] = []

  constructor(source: FillSource) {
    this.#source = source
  }

  pieces(path: string, text: string, scope: FillScope, around: FillAround = {}): KickoffPiece[] {
    return this.parts(path, text, scope, around).flatMap(({ pieces }) => pieces)
  }

  /** Fills in a string part by part. Each part is literal text or the value of a placeholder. */
  parts(
    path: string,
    text: string,
    scope: FillScope,
    { setup = [], later = [], at = this.#source.placeOf(path) }: FillAround = {},
  ): { isLiteral: boolean; pieces: KickoffPiece[] }[] {
    const filled = (part: Exclude<TextPart, { text: string }>): KickoffPiece[] => {
      const report = (what: string, remedy: string): KickoffPiece[] => {
        const place = this.#exactly(at, text, part.at)
        this.problems.push({
          ...place,
          ...(at.file === undefined ? {} : { file: at.file }),
          what,
          remedy,
        })
        return []
      }
      if ('broken' in part) {
        return report(
          `${quote(part.broken)} cannot be read`,
          'write ${{ NAME }}, or $${{ for these letters themselves',
        )
      }
      const { name } = part
      if (setup.includes(name) || later.includes(name)) {
        if (scope !== 'values and setup') {
          return report(
            `${path} uses the output of setup, ${name}`,
            'use it in kickoff or in a later command of setup: it may hold a stranger’s words',
          )
        }
        if (setup.includes(name)) return [{ setup: name }]
        return report(`${name} is not known before its own command ran`, 'move that command up')
      }
      const value = this.#valueOf(name)
      if (Array.isArray(value)) return value
      return report(value.why, value.remedy ?? this.#meant(name, [...setup, ...later]))
    }
    return partsOf(text).map((part) =>
      'text' in part
        ? { isLiteral: true, pieces: [{ text: part.text, mentions: true }] }
        : { isLiteral: false, pieces: filled(part) },
    )
  }

  text(path: string, text: string, around: FillAround = {}): string {
    return this.pieces(path, text, 'values', around)
      .map((piece) => ('text' in piece ? piece.text : ''))
      .join('')
  }

  #valueOf(name: string): KickoffPiece[] | { why: string; remedy?: string } {
    if (name.startsWith('env.')) {
      const variable = name.slice('env.'.length)
      const why = `the environment has no ${variable}`
      return (
        this.#source.env(variable) ?? { why, remedy: `set it: ${variable}=… before the command` }
      )
    }
    const known = this.#source.names.get(name)
    if (known === undefined) return { why: `${name} is not known here` }
    if (this.#under.includes(name)) {
      const circle = [...this.#under.slice(this.#under.indexOf(name)), name].join(', ')
      return { why: `${name} depends on itself: ${circle}`, remedy: 'write one of them out' }
    }
    this.#under.push(name)
    try {
      return known.pieces((path, text) => this.pieces(path, text, 'values'))
    } finally {
      this.#under.pop()
    }
  }

  #meant(name: string, setup: readonly string[]): string {
    const known = [...setup, ...this.#source.names.keys()]
    if (known.includes(`params.${name}`)) return `write params.${name}`
    const meant = nearest(name, known)
    if (meant !== undefined) return `write ${meant}`
    if (name.startsWith('params.')) return `add it to params:, or use ${listOf(known)}`
    return `use ${listOf(known)} or env.NAME`
  }

  #exactly({ place, source, file }: FillPlace, text: string, at: number): FilePlace {
    if (source !== undefined) {
      return this.#source.placeAt(source.from + offsetInSource(text, at, source.text))
    }
    if (file === undefined) return place
    const lines = text.slice(0, at).split('\n')
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
}

export type FillAround = {
  /** Setup outputs that exist by the time the string is used. */
  setup?: readonly string[]
  /** Outputs of commands that won't have run by the time the string is used. */
  later?: readonly string[]
  at?: FillPlace
}

function listOf(names: readonly string[]): string {
  return names.slice(0, 12).join(', ')
}

/** `at` is the offset in the text. A malformed placeholder has no name. */
export type TextPart =
  | { text: string }
  | { name: string; at: number }
  | { broken: string; at: number }

const OPENS = /\$?\$\{\{/g
const NAME = /^\s*([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)?)\s*$/
/** No name is this long, so a placeholder that doesn't end within this length wasn't closed. */
const LONGEST = 200

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  const keep = (to: number, tail = '') => {
    const words = text.slice(from, to) + tail
    if (words !== '') parts.push({ text: words })
  }
  OPENS.lastIndex = 0
  for (let found = OPENS.exec(text); found !== null; found = OPENS.exec(text)) {
    const at = found.index
    if (found[0].startsWith('$$')) {
      keep(at, '${{')
      from = OPENS.lastIndex
      continue
    }
    keep(at)
    const start = OPENS.lastIndex
    const length = text.slice(start, start + LONGEST).indexOf('}}')
    if (length < 0) {
      parts.push({ broken: text.slice(at, at + 20), at })
      from = OPENS.lastIndex
      continue
    }
    const end = start + length
    const [, name] = NAME.exec(text.slice(start, end)) ?? []
    parts.push(name === undefined ? { broken: text.slice(at, end + 2), at } : { name, at })
    from = end + 2
    OPENS.lastIndex = from
  }
  keep(text.length)
  return parts
}

/**
 * The offset of a placeholder in the YAML source of the text, which may be indented, folded or quoted. It's found by
 * counting placeholders, so it's 0 if the source spells them differently.
 */
export function offsetInSource(text: string, at: number, source: string): number {
  const before = text.slice(0, at).split('${{').length - 1
  if (text.split('${{').length !== source.split('${{').length) return 0
  let offset = source.indexOf('${{')
  for (let passed = 0; passed < before; passed++) offset = source.indexOf('${{', offset + 3)
  return Math.max(offset, 0)
}
