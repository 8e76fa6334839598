// Describes flags for help, completion and the reference. The parser needs only their arity (argv.ts).

import type { Field, Fields } from '../../ops/kit/field.ts'
import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import { flagOf } from './argv.ts'

export const GLOBAL_FLAGS: FlagSpec[] = [
  {
    flag: '--db',
    value: 'PATH|URL',
    about: 'the store (default: INBOX_DB, else the nearest .agents/coord.db)',
    repeats: false,
  },
  { flag: '--agent', value: 'NAME', about: 'who you are; else INBOX_AGENT', repeats: false },
  { flag: '--json', value: '', about: 'answer in JSON', repeats: false },
  { flag: '--help', value: '', about: 'explain', repeats: false },
]

/** The flags of these fields. A positional value also has a flag, for completion and as a hint in help. */
export function flagSpecs(fields: Fields, { all = false } = {}): FlagSpec[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const specs = specsOf(key, field)
    return field.positional && !all ? specs.slice(1).filter((spec) => !spec.repeats) : specs
  })
}

const SELF_DEFAULT: Record<string, string> = {
  agent: 'INBOX_AGENT',
  from: '--agent, then INBOX_AGENT',
}

function specsOf(key: string, field: Field): FlagSpec[] {
  const flag = flagOf(key, field.kind)
  const about = withDefault(field, field.kind === 'self' ? SELF_DEFAULT[key] : undefined)
  switch (field.kind) {
    case 'flag':
      return [{ flag, value: '', about, repeats: false }]
    case 'body':
      return [
        { flag, value: 'TEXT', about, repeats: false },
        {
          flag: `${flag}-file`,
          value: 'PATH',
          about: 'read it from a file; - is standard input',
          repeats: false,
        },
      ]
    case 'list':
      return [{ flag, value: 'TEXT', about: `${about}; repeatable`, repeats: true }]
    case 'artifacts':
      return [
        { flag, value: 'PATH', about: `${about}; repeatable`, repeats: true },
        {
          flag: '--artifact-kind',
          value: 'KIND',
          about: 'what the file is, by position',
          repeats: true,
        },
        {
          flag: '--artifact-metadata-json',
          value: 'JSON',
          about: 'data about it, by position',
          repeats: true,
        },
      ]
    default:
      return [
        {
          flag,
          value: valueName(field),
          about,
          repeats: false,
          ...(field.of ? { of: field.takesBack ? [...field.of, 'none'] : field.of } : {}),
        },
      ]
  }
}

/** A field's description with its defaults: the shell's, followed by the field's. */
export function withDefault({ about, default: usual, leftOut }: Field, atShell?: string): string {
  const words = [atShell, leftOut ?? usual?.toString()].filter((part) => part !== undefined)
  return words.length === 0 ? about : `${about} (default: ${words.join(', else ')})`
}

function valueName(field: Field): string {
  const name = ownName(field)
  return field.takesBack ? `${name}|none` : name
}

function ownName(field: Field): string {
  const words = field.listed ?? field.of
  if (words !== undefined) return words.join(field.kind === 'choices' ? ',' : '|')
  const names: Partial<Record<Field['kind'], string>> = {
    self: 'NAME',
    name: 'NAME',
    address: 'ADDRESS',
    id: 'ID',
    int: 'N',
    json: 'JSON',
    path: 'PATH',
  }
  return names[field.kind] ?? 'TEXT'
}
