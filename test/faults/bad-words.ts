// Every way to misuse every flag of every command, derived from the catalogue, so that a new flag is tested from the
// start.

import { arities, flagOf } from '../../src/doors/cli/argv.ts'
import type { Field } from '../../src/ops/kit/field.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'

/** Arguments that make a valid command invalid, and what the refusal must name. */
export type Wrong = { words: string[]; names: string }

/** Flags that some commands need in addition to the required fields, because of their rules. */
const ALSO_NEEDED: Record<string, string[]> = {
  send: ['--to=worker', '--subject=x'],
  'mail send': ['--to=orchestrator', '--subject=x'],
  'mail mark-read': ['--message=msg_x'],
  update: ['--summary=x'],
  reply: ['--summary=x'],
  done: ['--summary=x'],
  fail: ['--summary=x'],
  resubmit: ['--title=x'],
  'request verify': ['--request=x'],
  'request effect': ['--command=["true"]'],
  'wait-reply': ['--agent=worker'],
  'workflow new': ['--model=anthropic/x'],
  push: ['--agent=worker', '--comments=x'],
  notify: ['--agent=worker'],
  'person set': ['--sound=on'],
  'token issue': ['--name=ann'],
  // Extra flags that keep a command short or harmless if it's accepted after all, or give it a file to read.
  watch: ['--timeout-seconds=1'],
  prune: ['--dry-run'],
  import: ['--file=log.jsonl'],
}

/** The minimal arguments of a command. */
export function rightWords({ name, fields }: Operation): string[] {
  const needed = Object.entries(fields).filter(([, { required }]) => required)
  const words = needed.map(([key, field]) => `${flagOf(key, field.kind)}=${rightValue(key, field)}`)
  return [...words, ...(ALSO_NEEDED[name] ?? [])]
}

function rightValue(key: string, { kind, of = [] }: Field): string {
  if (kind === 'choice') return of[0] ?? ''
  if (kind === 'self') return 'worker'
  if (kind === 'int') return '1'
  if (kind === 'json') return '{}'
  if (key === 'until') return '2026-03-01T08:00:00Z'
  // A request and its reviewed revision.
  if (key === 'requests') return 'x:1'
  return key === 'thread' ? 'thr_x' : 'x'
}

export function wrongWords(op: Operation, shellFlags: [string, 'switch' | 'once'][]): Wrong[] {
  const wrongs: Wrong[] = [
    { words: ['--nonsense'], names: '"--nonsense" is not a flag' },
    { words: ['--nonsense=1'], names: '"--nonsense" is not a flag' },
    { words: ['-x'], names: '"-x" is not a flag' },
    ...(takesAnyWord(op) ? [] : [{ words: ['stray', 'words', 'here'], names: 'unexpected' }]),
    { words: ['--db'], names: '--db needs a value' },
    { words: ['--db='], names: '--db is empty' },
    { words: ['--json=yes'], names: '--json takes no value' },
  ]
  for (const [flag, arity] of [...arities(op.fields), ...shellFlags]) {
    if (flag === '--db' || flag === '--help' || flag === '--json') continue
    if (arity === 'switch') {
      wrongs.push({ words: [`${flag}=yes`], names: `${flag} takes no value` })
      wrongs.push({ words: [flag, flag], names: `${flag} is given twice` })
      continue
    }
    wrongs.push({ words: [flag], names: `${flag} needs a value` })
    wrongs.push({ words: [flag, '--json'], names: `${flag} needs a value` })
    if (arity === 'once') {
      wrongs.push({ words: [`${flag}=1`, `${flag}=2`], names: `${flag} is given twice` })
    }
  }
  for (const [key, field] of Object.entries(op.fields)) {
    const flag = flagOf(key, field.kind)
    for (const value of wrongValues(field))
      wrongs.push({ words: [`${flag}=${value}`], names: flag })
    if (field.kind === 'body') wrongs.push(...wrongBodies(flag))
    if (field.kind === 'artifacts') wrongs.push(...WRONG_ARTIFACTS)
  }
  return wrongs
}

function takesAnyWord({ fields }: Operation): boolean {
  return Object.values(fields).some(({ kind, positional }) => kind === 'list' && positional)
}

function wrongValues(field: Field): string[] {
  const long = () => 'x'.repeat(field.max + 1)
  switch (field.kind) {
    case 'self':
    case 'name':
      return ['', ' ', 'two words', '1st', '-dash', 'dot.ted', 'ä', 'a\nb', 'x\u0007', long()]
    case 'address':
      return ['', ' ', 'two words', 'role:', 'agent:1st', 'system', 'team:x', '@', 'a@b@c', long()]
    case 'list':
      return ['', ' ', '\t', 'x'.repeat(1001)]
    case 'id':
    case 'text':
    case 'path':
      return ['', ' ', '\t', long()]
    case 'int':
      return [...NOT_INTEGERS, String((field.min ?? 0) - 1), overLarge(field.max)]
    case 'choice':
      return ['', 'nonsense', (field.of?.[0] ?? '').toUpperCase(), field.of?.join(',') ?? '']
    case 'choices':
      return ['', ',', 'nonsense', `${field.of?.[0]},`, `${field.of?.[0]} ${field.of?.[1]}`]
    case 'json':
      // Longer values don't fit on a command line: the system limits each argument to 128 KiB.
      return ['', '{', "{'a':1}", 'undefined', '{"a":"\\u0000"}', '"\\ud800"', 'NaN']
    case 'body':
    case 'flag':
    case 'artifacts':
      return []
  }
}

const NOT_INTEGERS = [
  '',
  ' ',
  'abc',
  '1.5',
  '1e3',
  '0x10',
  '+1',
  '１',
  'Infinity',
  'NaN',
  '1 2',
  '-',
]

function overLarge(max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? '9007199254740993' : String(max + 1)
}

function wrongBodies(flag: string): Wrong[] {
  const file = `${flag}-file`
  return [
    { words: [`${flag}=x`, `${file}=-`], names: 'cannot be combined' },
    { words: [`${file}=`], names: 'cannot read ""' },
    { words: [`${file}=missing.txt`], names: 'cannot read "missing.txt": there is no such file' },
    { words: [`${file}=/`], names: 'cannot read "/": it is a folder' },
    { words: [`${file}=missing.txt/below`], names: 'cannot read' },
  ]
}

const WRONG_ARTIFACTS: Wrong[] = [
  { words: ['--artifact='], names: '--artifact' },
  { words: [`--artifact=${'x'.repeat(4097)}`], names: '--artifact' },
  { words: ['--artifact-kind=log'], names: 'they pair by position' },
  { words: ['--artifact-metadata-json={}'], names: 'they pair by position' },
  {
    words: ['--artifact=a', '--artifact=b', '--artifact-kind=log'],
    names: 'they pair by position',
  },
  { words: ['--artifact=a', '--artifact-kind='], names: '--artifact' },
  { words: ['--artifact=a', '--artifact-metadata-json={'], names: 'is not JSON' },
  { words: Array.from({ length: 51 }, (_, i) => `--artifact=file${i}`), names: 'at most 50 fit' },
]
