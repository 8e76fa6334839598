// Fills placeholders in. A value keeps where it came from until the kickoff is sent, because mentions count in the
// words of the file and in params only.

import { quote } from '../core/error.ts'
import { nearest } from '../core/nearest.ts'
import type { FillScope } from './keys.ts'
import { offsetInSource, partsOf, type TextPart } from './placeholder.ts'
import type { FilePlace, KickoffPiece, Problem } from './plan.ts'

/** First words of placeholders; the output of setup may not have their names. */
export const RESERVED_VALUES = ['env', 'workflow', 'context', 'params', 'instance'] as const

/**
 * A name that can be filled in, and what it stands for. `pieces` is asked when the name is used; it may use other
 * names by `fill`. A string instead says why there is no value.
 */
export type FillName = {
  pieces: (fill: FillText) => KickoffPiece[] | { why: string; remedy: string }
}

/** Undefined after a problem was reported. */
type FillText = (path: string, text: string) => KickoffPiece[]

/** A text to fill in: where it stands in its file. */
export type FillPlace = { place: FilePlace; source?: { text: string; from: number }; file?: string }

export class Fill {
  readonly problems: Problem[] = []
  readonly #names: ReadonlyMap<string, FillName>
  readonly #env: (name: string) => KickoffPiece[] | undefined
  readonly #placeOf: (path: string) => FillPlace
  readonly #placeAt: (offset: number) => FilePlace
  /** Names whose values are being worked out, to find circles. */
  readonly #under: string[] = []

  constructor(given: {
    names: ReadonlyMap<string, FillName>
    env: (name: string) => KickoffPiece[] | undefined
    placeOf: (path: string) => FillPlace
    placeAt: (offset: number) => FilePlace
  }) {
    this.#names = given.names
    this.#env = given.env
    this.#placeOf = given.placeOf
    this.#placeAt = given.placeAt
  }

  pieces(path: string, text: string, scope: FillScope, around: FillAround = {}): KickoffPiece[] {
    return this.parts(path, text, scope, around).flatMap(({ pieces }) => pieces)
  }

  /** The same, each with whether it is the text's own words. */
  parts(
    path: string,
    text: string,
    scope: FillScope,
    { setup = [], later = [], at = this.#placeOf(path) }: FillAround = {},
  ): { own: boolean; pieces: KickoffPiece[] }[] {
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
        if (scope !== 'run and setup') {
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
        ? { own: true, pieces: [{ text: part.text, mentions: true }] }
        : { own: false, pieces: filled(part) },
    )
  }

  /** Text without the output of setup. */
  text(path: string, text: string, around: FillAround = {}): string {
    return this.pieces(path, text, 'run', around)
      .map((piece) => ('text' in piece ? piece.text : ''))
      .join('')
  }

  #valueOf(name: string): KickoffPiece[] | { why: string; remedy?: string } {
    if (name.startsWith('env.')) {
      const variable = name.slice('env.'.length)
      const why = `the environment has no ${variable}`
      return this.#env(variable) ?? { why, remedy: `set it: ${variable}=… before the command` }
    }
    const known = this.#names.get(name)
    if (known === undefined) return { why: `${name} is not known here` }
    if (this.#under.includes(name)) {
      const circle = [...this.#under.slice(this.#under.indexOf(name)), name].join(', ')
      return { why: `${name} depends on itself: ${circle}`, remedy: 'write one of them out' }
    }
    this.#under.push(name)
    try {
      return known.pieces((path, text) => this.pieces(path, text, 'run'))
    } finally {
      this.#under.pop()
    }
  }

  #meant(name: string, setup: readonly string[]): string {
    const known = [...setup, ...this.#names.keys()]
    if (known.includes(`params.${name}`)) return `write params.${name}`
    const meant = nearest(name, known)
    if (meant !== undefined) return `write ${meant}`
    if (name.startsWith('params.')) return `add it to params:, or use ${listOf(known)}`
    return `use ${listOf(known)} or env.NAME`
  }

  #exactly({ place, source, file }: FillPlace, text: string, at: number): FilePlace {
    if (source !== undefined) {
      return this.#placeAt(source.from + offsetInSource(text, at, source.text))
    }
    if (file === undefined) return place
    const lines = text.slice(0, at).split('\n')
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
}

export type FillAround = {
  /** Commands of setup whose output is there by then. */
  setup?: readonly string[]
  /** Commands that have not run by then. */
  later?: readonly string[]
  at?: FillPlace
}

function listOf(names: readonly string[]): string {
  return names.slice(0, 12).join(', ')
}
