// Refusals name fields and operations as typed parts, so each door can use its own spelling. Operations that only the
// shell has are written as commands at every door.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE, isOperation, loadOperation, type OperationName } from './catalogue.ts'

const SOURCE = join(import.meta.dir, '..')

const sources = ['core', 'ops', 'store', 'wake'].flatMap((room) =>
  readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(SOURCE, room, file), 'utf8') })),
)

/** Matches a template tagged with refuse or sentence, or a new Refusal with parentheses nested up to three deep. */
const REFUSAL =
  /new Refusal\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|(?:refuse[.[\]\w]+|sentence)`[^`]*`/g
const OPERATION = /operation\('([a-z -]+)'(?:, \{ ([^}]*) \})?\)/g

async function ofShell(name: string): Promise<boolean> {
  return isOperation(name) && (await loadOperation(name)).at !== undefined
}

test('refusals name no flags, and only commands that no other door has', async () => {
  let seen = 0
  for (const { file, text } of sources) {
    for (const [refusal] of text.matchAll(REFUSAL)) {
      seen += 1
      expect([file, refusal.match(/(?<![\w"-])--(?!schema)[a-z][a-z-]*/)?.[0]]).toEqual([
        file,
        undefined,
      ])
      for (const [, words = ''] of refusal.matchAll(
        /'inbox ([a-z][a-z-]*(?: [a-z][a-z-]*){0,3})/g,
      )) {
        const said = words.split(' ')
        const heads = said.map((_, i) => said.slice(0, said.length - i).join(' '))
        const name = heads.find((one) => isOperation(one)) ?? words
        expect([file, name, await ofShell(name)]).toEqual([file, name, true])
      }
    }
  }
  expect(seen).toBeGreaterThan(200)
})

test('every operation a refusal names exists, at every door, with the fields it mentions', async () => {
  const named = sources.flatMap(({ text }) => [...text.matchAll(OPERATION)])
  for (const [call, name = '', input = ''] of named) {
    expect([call, Object.hasOwn(CATALOGUE, name)]).toEqual([call, true])
    const { fields, at } = await loadOperation(name as OperationName)
    expect([call, at]).toEqual([call, undefined])
    for (const [, key = ''] of input.matchAll(/(\w+):/g)) expect(Object.keys(fields)).toContain(key)
  }
  expect(named.length).toBeGreaterThan(30)
})
