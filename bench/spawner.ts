// Times runs of a program from outside: with a small C program if there is a compiler, otherwise with Bun, which is
// slower and less consistent. `how` says which.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Spawner = {
  how: string
  /** Milliseconds from start to end; fails unless the program exits with 0. */
  time(command: string[]): Promise<number>
  end(): Promise<void>
}

export async function startSpawner(env: Record<string, string>): Promise<Spawner> {
  const program = compileSpawner()
  if (program === undefined) return bunSpawner(env)
  const child = Bun.spawn([program], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = linesOf(child.stdout)
  return {
    how: 'posix_spawn from a C program',
    async time(command) {
      child.stdin.write(`${command.join('\x1f')}\n`)
      await child.stdin.flush()
      const { value } = await answers.next()
      const [ns = 0, code = -1] = String(value).split(' ').map(Number)
      mustSucceed(command, code)
      return ns / 1e6
    },
    async end() {
      await child.stdin.end()
      await child.exited
    },
  }
}

function bunSpawner(env: Record<string, string>): Spawner {
  return {
    how: 'Bun.spawnSync, no C compiler being there: figures are too high',
    async time(command) {
      const startedAt = performance.now()
      const { exitCode } = Bun.spawnSync(command, {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const took = performance.now() - startedAt
      mustSucceed(command, exitCode)
      return took
    },
    async end() {},
  }
}

function mustSucceed(command: string[], code: number): void {
  if (code !== 0) throw new Error(`exit ${code}: ${command.join(' ')}`)
}

function compileSpawner(): string | undefined {
  const compiler = process.env.CC || 'cc'
  if (Bun.which(compiler) === null) return undefined
  const source = join(import.meta.dirname, 'spawner.c')
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)
  const cache = join(import.meta.dirname, '..', '.cache', 'bench')
  const program = join(cache, `spawner-${hash}`)
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const built = Bun.spawnSync([compiler, '-O2', '-Wall', '-Wextra', '-o', program, source])
  if (!built.success) throw new Error(`${compiler} could not build spawner.c:\n${built.stderr}`)
  return program
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
