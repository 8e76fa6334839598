// An operation is one file and its line in the catalogue. Its name occurs nowhere else in the source except in
// sentences that point a caller to it (see sentences.test.ts). Adding an operation therefore edits no other table, and
// doors never check for an operation by name: a property on the operation says what's special about it.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE } from './catalogue.ts'

const SOURCE = join(import.meta.dir, '..')
const NAMES = new Set(Object.keys(CATALOGUE))

/** Files that call operations by name, as any client of the catalogue may, and what each of them does. */
const CALLERS: Record<string, string> = {
  'bin/demo/answers.ts': 'lets the agents of the demo answer a person',
  'bin/demo/demo.ts': 'plays the programs that a store would start',
  'bin/serve.ts': 'gives its owner a link to sign in when it starts',
  'doors/http/file-route.ts': 'sends the file that one operation shows, to the same callers',
  'doors/http/graphql/items.ts': 'shows each request as an inbox item',
  'doors/http/graphql/schema.ts':
    'has the queries and mutations of the schema: each is one operation',
  'doors/http/graphql/answer.ts': 'calls operations by their names in the schema',
  'doors/http/inbox-routes.ts': 'has the addresses of the inbox: each is one operation',
  'doors/http/sign-in.ts': 'signs out by revoking the token of the session',
  'doors/mcp/server.ts': 'tells a visitor in its instructions what one operation answers',
  'doors/mcp/unread.ts': 'is a resource that shows what one operation answers',
  'doors/cli/suggest.ts': 'says which command is meant by a word of other programs',
  'ops/clients/install.ts': 'writes commands of ours into the files of agents’ programs',
  'ops/server/keep-house.ts': 'does the chores of a server',
}

/** Names that are also ordinary strings elsewhere. */
const OTHER_MEANINGS: Record<string, string> = {
  approve: 'a decision of a request, which time may also bring about',
  cancel: 'a type of mail',
  claim: 'a proof of who calls: its own word',
  done: 'how work is finished',
  fail: 'how work is finished',
  import: 'by what a message is known to be read, and a check of the doctor',
  list: 'a kind of field, and of value',
  mcp: 'a door',
  push: 'a kind of thread, and a form of push',
  reply: 'what is counted',
  status: 'a type of mail, and what is said of a thread or an agent',
}

type Literal = { file: string; name: string }

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^(bin|doors|ops|index)\b.*\.ts$/.test(file) && !/\.(test|gen)\.ts$/.test(file))

const COMMENT = /^\s*(\/\/|\/\*|\*).*$/gm
/** Group 1 matches if the string is an argument of `operation(`/`command(`, or indexes a type. */
const QUOTED =
  /(\b(?:operation|command)\(|\w\[)?(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`[^`]*`)/g

const literals: Literal[] = files.flatMap((file) => {
  const text = readFileSync(join(SOURCE, file), 'utf8').replaceAll(COMMENT, '')
  return [...text.matchAll(QUOTED)].flatMap(([, before, single, double]) => {
    const name = single ?? double ?? ''
    return NAMES.has(name) && before === undefined ? [{ file, name }] : []
  })
})

/** `mail send` is defined in mail-send.ts. If a name has three words, its file's name may leave out the first one. */
function isOwnFile({ file, name }: Literal): boolean {
  const [first = '', ...rest] = name.split(' ')
  const own = rest.length > 1 ? `(?:${first}-)?${rest.join('-')}` : name.replace(' ', '-')
  return new RegExp(`^ops/[a-z]+/${own}\\.ts$`).test(file)
}

const elsewhere = literals.filter((one) => one.file !== 'ops/catalogue.ts' && !isOwnFile(one))

test('every operation is defined in the file named after it', () => {
  const defined = new Set(literals.filter(isOwnFile).map(({ name }) => name))
  expect([...NAMES].filter((name) => !defined.has(name))).toEqual([])
})

test('operation names appear only in their own file and the catalogue', () => {
  const strange = elsewhere.filter(
    ({ file, name }) => !Object.hasOwn(CALLERS, file) && !Object.hasOwn(OTHER_MEANINGS, name),
  )
  expect(strange).toEqual([])
})

test('every listed exception is needed', () => {
  const used = elsewhere.filter(({ file }) => Object.hasOwn(CALLERS, file))
  expect(Object.keys(CALLERS).filter((file) => !used.some((one) => one.file === file))).toEqual([])
  const words = Object.keys(OTHER_MEANINGS)
  expect(words.filter((word) => !elsewhere.some(({ name }) => name === word))).toEqual([])
})

test('no door checks for an operation by name', () => {
  const name = [...NAMES].join('|')
  const asks = new RegExp(`\\b(?:op|name|command)\\s*[!=]==\\s*'(?:${name})'|case '(?:${name})'`)
  const doors = files.filter((file) => file.startsWith('doors/'))
  expect(doors.length).toBeGreaterThan(50)
  for (const file of doors) {
    const text = readFileSync(join(SOURCE, file), 'utf8')
    // Doors also check the kind of a field, and one kind is called list.
    expect([file, text.replaceAll("case 'list'", '').match(asks)?.[0]]).toEqual([file, undefined])
  }
})
