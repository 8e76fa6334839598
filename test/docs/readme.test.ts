// The README and the pages it links to must show what really happens.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { play, readTranscript } from '../../scripts/transcript.ts'
import { blocks, inFreshFolder, ROOT, read } from './documents.ts'

const README = read('README.md')
/** The mail page continues with the store from the tour. */
const TOUR = `${read('docs/tour.md')}\n${read('docs/mail.md')}`

async function run(cmd: string[], folder: string, env: Record<string, string> = {}) {
  const child = Bun.spawn(cmd, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

test('every transcript in the documents matches what happens', async () => {
  const played: string[] = []
  const pages = {
    'the tour': TOUR,
    'docs/transcripts/readable.md': read('docs/transcripts/readable.md'),
  }
  for (const [document, text] of Object.entries(pages)) {
    const steps = readTranscript(text)
    expect(steps.length).toBeGreaterThan(5)
    await inFreshFolder(async (scratch) => {
      const folder = join(scratch, 'shop')
      mkdirSync(folder)
      const bin = join(ROOT, 'dist')
      const problems = await play(steps, {
        folder,
        scratch,
        bin,
        signal: AbortSignal.timeout(200_000),
        isTerminal: document === 'the tour',
      })
      expect(problems.map((problem) => `${document} ${problem}`)).toEqual([])
    })
    played.push(document)
  }
  expect(played).toHaveLength(2)
})

test('in the tour the worker really waits for the leader', () => {
  const steps = readTranscript(TOUR)
  const waits = steps.filter((step) => step.blocks)
  expect(waits.map(({ command }) => command.split(' ')[1])).toEqual(['wait-reply'])
  expect(new Set(steps.map(({ terminal }) => terminal)).size).toBe(2)
})

test('npm run tour plays the tour and leaves no files behind', async () => {
  await inFreshFolder(async (temp) => {
    const { out, err, code } = await run(['npm', 'run', 'tour'], ROOT, { TMPDIR: temp })
    expect(err.replace(/^npm .*\n/gm, '')).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('terminal 2  worker$ inbox wait-reply')
    expect(out).toContain('Session cookie')
    expect(out).not.toContain('\u001b')
    expect(readdirSync(temp)).toEqual([])
  })
})

test('a tour with a wrong document exits with 1 and shows the wrong line', async () => {
  await inFreshFolder(async (temp) => {
    const lie = TOUR.replace('│ Session cookie\n', '│ Bearer token\n')
    expect(lie).not.toBe(TOUR)
    writeFileSync(join(temp, 'lie.md'), lie)
    const tour = ['node', 'scripts/bun.mjs', 'scripts/tour.ts', join(temp, 'lie.md')]
    const { err, code } = await run(tour, ROOT, { TMPDIR: temp })
    expect(code).toBe(1)
    expect(err).toContain('Bearer token')
    expect(readdirSync(temp)).toEqual(['lie.md'])
  })
})

test('an interrupted tour ends its waiting program and cleans up', async () => {
  await inFreshFolder(async (temp) => {
    const endless = TOUR.slice(0, TOUR.indexOf('The leader sees the question'))
    writeFileSync(join(temp, 'endless.md'), `${endless}\`\`\`console\nnever comes\n\`\`\`\n`)
    const child = Bun.spawn([process.execPath, 'scripts/tour.ts', join(temp, 'endless.md')], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const reader = child.stdout.getReader()
    const decoder = new TextDecoder()
    let seen = ''
    while (!seen.includes('wait-reply')) seen += decoder.decode((await reader.read()).value)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(130)
    expect(readdirSync(temp)).toEqual(['endless.md'])
  })
})

test('the server prints what the README shows, and its commands work', async () => {
  const [screen = ''] = blocks(README, 'text')
  const commands = blocks(README, 'sh').find((block) => block.includes('inbox install')) ?? ''
  const all = commands.split('\n').filter((line) => line.startsWith('inbox '))
  const lines = all.filter((line) => !line.startsWith('inbox serve'))
  expect([all.length, lines.length]).toEqual([4, 3])
  await inFreshFolder(async (folder) => {
    const program = join(ROOT, 'dist/inbox')
    const child = Bun.spawn([program, 'serve'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const reader = child.stdout.getReader()
    const decoder = new TextDecoder()
    let seen = ''
    while (!/Ctrl-C.*\n/.test(seen)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the server ended: ${seen}`)
      seen += decoder.decode(value)
    }
    expect(shapeOf(seen)).toBe(shapeOf(screen))
    const path = { PATH: `${join(ROOT, 'dist')}:${process.env.PATH}` }
    for (const line of lines) {
      const { err, code } = await run(['/bin/sh', '-c', line], folder, path)
      expect({ line, err, code }).toEqual({ line, err: '', code: 0 })
    }
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

/** The text without the parts that differ between machines. */
function shapeOf(screen: string): string {
  return screen
    .replace(/:\d+/g, ':PORT')
    .replace(/(store +)\S+(\.agents\/coord\.db)/, '$1$2')
    .replace(/(connect +)\S*inbox/, '$1inbox')
    .replace(/(code=)\S+/, '$1')
    .trim()
}

test('the library example runs and prints what its comment says', async () => {
  const [example = ''] = blocks(read('docs/library.md'), 'ts')
  const said = [...example.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
  expect(said).toHaveLength(1)
  await inFreshFolder(async (folder) => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules/mailroom'))
    writeFileSync(join(folder, 'example.ts'), example)
    const { out, err, code } = await run([process.execPath, 'example.ts'], folder)
    expect(err).toBe('')
    expect(out).toBe(`${said.join('\n')}\n`)
    expect(code).toBe(0)
  })
})

test('the other commands of the README are scripts of the package', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands =
    blocks(README, 'sh')
      .join('')
      .match(/npm (?:run )?\w+/g) ?? []
  const names = commands.map((command) => command.split(' ').at(-1) as string)
  expect(names).toContain('build')
  for (const name of names.filter((one) => one !== 'install')) expect(scripts).toHaveProperty(name)
})
