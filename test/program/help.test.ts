// Printed help must match the checked-in transcript exactly.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { groupsOf, operations } from '../../src/doors/cli/listing.ts'
import { belongsTo, type ProgramName, shortName } from '../../src/doors/cli/program.ts'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()
const ops = await operations()

const programs: ProgramName[] = ['inbox', 'agent-worker']
const transcript = await Bun.file(join(ROOT, 'docs/transcripts/help.txt')).text()
const pages = new Map(
  transcript
    .split(/^(?=\$ (?:inbox|agent-worker) )/m)
    .map((page) => [page.slice(2, page.indexOf('\n')), page.slice(page.indexOf('\n') + 1)]),
)

test.each(programs)('the transcript has the help of every command of %s', (program) => {
  const own = ops.filter(({ name }) => belongsTo(program, name))
  const names = own.map(({ name }) => name)
  const groups = [...groupsOf(own).keys()].filter((group) => !names.includes(group))
  const words = [...groups, ...names].map((name) => shortName(program, name)).filter(Boolean)
  expect([...pages.keys()].filter((page) => page.startsWith(`${program} `))).toEqual([
    `${program} help`,
    `${program} help --all`,
    ...words.map((word) => `${program} ${word} --help`),
  ])
})

test.each([...pages.keys()])('%s prints what is checked in', async (command) => {
  const here = folder()
  const [program = '', ...words] = command.split(' ')
  const { code, out, err } = await run(words, { folder: here, program: [join(DIST, program)] })
  // A blank line separates two pages of the transcript.
  expect(out.trimEnd()).toBe((pages.get(command) ?? '').trimEnd())
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('all ways to ask for help print the same, and create no store', async () => {
  const here = folder()
  const { out } = await run(['claim', '--help'], { folder: here })
  expect((await run(['help', 'claim'], { folder: here })).out).toBe(out)
  expect((await run(['claim', '-h'], { folder: here })).out).toBe(out)
  expect((await run(['--help', 'claim'], { folder: here })).out).toBe(out)
  const send = await run(['mail', 'send', '--help'], { folder: here })
  for (const words of [
    ['help', 'mail', 'send'],
    ['mail', '-h', 'send'],
    ['--help', '--db', 'x.db', 'mail', '--agent', 'worker', 'send'],
  ]) {
    expect((await run(words, { folder: here })).out).toBe(send.out)
  }
  const overall = await run(['help'], { folder: here })
  expect((await run(['--help'], { folder: here })).out).toBe(overall.out)
  expect(overall.out).toContain('wait-reply')
  expect(await Array.fromAsync(new Bun.Glob('**').scan({ cwd: here, dot: true }))).toEqual([])
})

test('help --all lists every command, with a space before its summary', async () => {
  const { out } = await run(['help', '--all'], { folder: folder() })
  for (const { name, isDeprecated } of ops) {
    if (isDeprecated) expect(out).not.toContain(`  ${name} `)
    else expect(out).toContain(`  ${name} `)
  }
  for (const { name, summary } of ops) expect(out).not.toContain(name + summary)
})

test('exit 10 is only for commands that an agent repeats or that wait, and their help says so', () => {
  const looped = [
    'claim',
    'fetch',
    'mail peek',
    'mail read',
    'mail send',
    'workflow context inbox',
    'workflow context inbox-peek',
    'workflow context read',
  ]
  const waits = [
    'push watch',
    'request ask',
    'request wait',
    'wait-reply',
    'watch',
    'workflow stop',
  ]
  const ofInbox = [...pages].filter(([page]) => page.startsWith('inbox '))
  const saying = ofInbox.filter(([, page]) => page.includes('Exit 10'))
  const names = ops.filter(({ nothing }) => nothing !== undefined).map(({ name }) => name)
  expect(names.sort()).toEqual([...looped, ...waits].sort())
  expect(saying.map(([page]) => page).sort()).toEqual(names.map((name) => `inbox ${name} --help`))
})

test('the first word of a two-word command lists its commands', async () => {
  const here = folder()
  const { code, out } = await run(['mail', '--help'], { folder: here })
  expect(code).toBe(0)
  expect(out).toContain('  mail send')
  expect((await run(['help', 'mail'], { folder: here })).out).toBe(out)
  expect(await run(['mail'], { folder: here })).toMatchObject({ code: 30, out: '', err: out })
})

test.each([
  [['help', 'clam'], "did you mean 'inbox claim'?"],
  [['help', 'mail', 'sned'], "did you mean 'inbox mail send'?"],
  [['help', 'claim', 'send'], 'is not a command'],
])('help for a command that does not exist is refused: %o', async (words, hint) => {
  const ran = await run(words, { folder: folder() })
  expect(ran).toMatchObject({ code: 30, out: '' })
  expect(ran.err).toContain(hint)
})

test('commands that only the program calls are in no help but work', async () => {
  const here = folder()
  for (const words of [['help'], ['wake', '--help'], ['completion', 'bash']]) {
    expect((await run(words, { folder: here })).out).not.toMatch(/\bexec\b/)
  }
  const hint = await run(['wake', 'exce'], { folder: here })
  expect(hint.err).not.toContain('wake exec')
  const ran = await run(['wake', 'exec', '--wake=wak_x'], { folder: here })
  expect(ran).toMatchObject({ code: 30, out: '' })
  expect(ran.err).toContain('only the broker starts this')
})

test('the first page has at most 30 lines, and no page is wider than the terminal', async () => {
  const { out } = await run(['help'], { folder: folder() })
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  for (const columns of [40, 60, 80]) {
    const { shortHelp, overallHelp, helpOf } = await import('../../src/doors/cli/help.ts')
    const texts: string[] = []
    for (const program of programs) {
      const page = { width: columns, program }
      texts.push(await shortHelp(page), await overallHelp(page))
      const own = ops.filter(({ name }) => belongsTo(program, name))
      for (const op of own) texts.push(await helpOf(op, page))
    }
    const lines = texts.flatMap((text) => text.split('\n'))
    // A word longer than the page isn't broken.
    const wide = lines.filter((line) => line.length > columns && /\S \S/.test(line.trim()))
    expect({ columns, wide }).toEqual({ columns, wide: [] })
  }
})
