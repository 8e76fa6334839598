import { expect } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { PROGRAM, runProgram } from '../../worlds/program.ts'
import { flowIn } from '../../worlds/workflows.ts'
import { until, type World } from '../../worlds/world.ts'

const BEFORE = '{ // ours\n  "ui": {"theme": "Ayu"},\n}'
const FILE = '.gemini/settings.json'

/** Sets up a machine on which these scripts are installed as programs, in addition to `inbox`. */
async function surroundings(world: World, programs: Record<string, string>) {
  const { env: own, folder } = await flowIn(world)
  const bin = join(folder, 'bin')
  fs.mkdirSync(bin)
  for (const [name, script] of Object.entries(programs)) {
    fs.writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  fs.symlinkSync(PROGRAM, join(bin, 'inbox'))
  const home = join(folder, 'home')
  fs.mkdirSync(home)
  const env = { ...own, PATH: `${bin}:/usr/bin:/bin`, HOME: home }
  const work = join(folder, 'work')
  fs.mkdirSync(join(work, '.gemini'), { recursive: true })
  fs.writeFileSync(join(work, FILE), BEFORE)
  return { work, env }
}

type Around = Awaited<ReturnType<typeof surroundings>>

function flow({ work }: Around, agent: string): string {
  const name = 'flow.yaml'
  fs.writeFileSync(join(work, name), `agents:\n  a: { ${agent} }\nkickoff: "@a look at it"\n`)
  return name
}

function runFlow(around: Around, agent: string, instance = 'default') {
  const words = ['workflow', 'run', flow(around, agent), '--instance', instance, '--json']
  return runProgram(words, { folder: around.work, env: around.env })
}

const GEMINI = 'backend: gemini, system_prompt: You look.'

behaves('backend/command', async (world) => {
  const around = await surroundings(world, {
    good: 'sleep 1000 & echo $! > left; cat > mail.txt; echo "$INBOX_AGENT has read it"',
    bad: 'cat > /dev/null; echo "cannot"; exit 3',
  })
  const { exit, stdout } = await runFlow(around, 'backend: command, command: [good]')
  expect([exit, stdout.includes('a@default has read it')]).toEqual([0, true])
  const lines = fs.readFileSync(join(around.work, 'mail.txt'), 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { note: expect.stringContaining('data'), from: 'user', body: '@a look at it' },
  ])
  // The child process that it left running was killed when the turn ended.
  const left = Number(fs.readFileSync(join(around.work, 'left'), 'utf8'))
  expect(() => process.kill(left, 0)).toThrow('ESRCH')
  const failed = await runFlow(around, 'backend: command, command: [bad]', 'second')
  expect(failed).toMatchObject({ exit: 1 })
  expect(failed.stdout).toContain('exit code 3')
})

behaves('backend/missing', async (world) => {
  const around = await surroundings(world, {})
  const { exit, stdout, stderr } = await runFlow(around, GEMINI)
  expect(exit).toBe(30)
  expect(`${stdout}${stderr}`).toContain('npm install -g @google/gemini-cli')
  expect(fs.existsSync(join(around.work, '.workflow'))).toBe(false)
})

behaves('backend/lent-file', async (world) => {
  const around = await surroundings(world, { gemini: `cp ${FILE} ../seen.json; cat > /dev/null` })
  const { exit } = await runFlow(around, GEMINI)
  expect(exit).toBe(0)
  expect(fs.readFileSync(join(world.folder, 'seen.json'), 'utf8')).toContain('"workflow-context"')
  expect(fs.readFileSync(join(around.work, FILE), 'utf8')).toBe(BEFORE)
  expect(fs.readdirSync(join(around.work, '.workflow'))).toEqual(['.gitignore', 'default'])
})

behaves('backend/killed-turn', async (world) => {
  const script = 'echo $PPID > ../turn.tmp; mv ../turn.tmp ../turn; while :; do sleep 0.1; done'
  const around = await surroundings(world, { gemini: script, good: 'cat > /dev/null' })
  const words = ['workflow', 'run', flow(around, GEMINI)]
  const { work, env } = around
  const quiet = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const
  const runner = Bun.spawn([PROGRAM, ...words], { cwd: work, env, ...quiet })
  const mark = join(world.folder, 'turn')
  await until(async () => fs.existsSync(mark), 'a turn', 30_000)
  runner.kill('SIGKILL')
  process.kill(Number(fs.readFileSync(mark, 'utf8')), 'SIGKILL')
  await runner.exited
  expect(fs.readFileSync(join(work, FILE), 'utf8')).toContain('"workflow-context"')
  const next = await runFlow(around, 'backend: command, command: [good]', 'second')
  expect(next.exit).toBe(0)
  expect(fs.readFileSync(join(work, FILE), 'utf8')).toBe(BEFORE)
  expect(fs.existsSync(join(work, '.workflow/.journal'))).toBe(false)
})
