// Runs the examples on the page about using any program as an agent, the way the page says to.

import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folders, run } from '../program/process.ts'
import { blocks, ROOT, read } from './documents.ts'

const folder = folders()
const PAGE = 'docs/command-agents.md'

const RUNNERS: Record<string, { file: string; program: string | null }> = {
  sh: { file: 'agent.sh', program: '/bin/sh' },
  ts: { file: 'agent.ts', program: process.execPath },
  python: { file: 'agent.py', program: Bun.which('python3') },
}

test('the examples in shell, TypeScript and Python answer a mention', async () => {
  const here = folder()
  const examples = Object.entries(RUNNERS).flatMap(([language, { file, program }]) => {
    const [text = '', ...more] = blocks(read(PAGE), language)
    expect([language, more, text === '']).toEqual([language, [], false])
    writeFileSync(join(here, file), text)
    return program === null ? [] : [{ language, command: [program, file] }]
  })
  const agents = examples.map(({ language, command }) => {
    return `  ${language}: { backend: command, command: ${JSON.stringify(command)} }\n`
  })
  const names = examples.map(({ language }) => `@${language}`).join(' ')
  writeFileSync(join(here, 'flow.yaml'), `agents:\n${agents.join('')}kickoff: "${names} look"\n`)
  const env = { PATH: `${join(ROOT, 'dist')}:${process.env.PATH}` }
  const program = [join(ROOT, 'dist/agent-worker')]
  const { code, out, err } = await run(['run', 'flow.yaml'], { folder: here, program, env })
  expect({ code, err, out }).toMatchObject({ code: 0 })
  const channel = readFileSync(join(here, '.workflow/default/channel.md'), 'utf8')
  const said = [
    ['sh', '@user the shell has read it', 'answered in shell'],
    ['ts', /@user TypeScript has read \d+ letters/, 'answered in TypeScript'],
    ['python', /@user Python has read \d+ letters/, 'answered in Python'],
  ] as const
  for (const [language, words, last] of said) {
    if (!examples.some((one) => one.language === language)) continue
    expect(channel).toMatch(words)
    expect(out).toContain(last)
  }
}, 60_000)
