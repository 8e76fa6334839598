// Runs a skill's commands as an agent would: in one folder, each once, in real processes.

import { afterAll, expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocks, ROOT, read } from './documents.ts'

/** Values from earlier answers, for the placeholders in the skill's commands. */
export type Given = Partial<Record<'THREAD' | 'TOKEN' | 'MESSAGE' | 'REQUEST', string>> & {
  EVENT?: number
}

/** Call this at the top of a test file. */
export function openSkill<Answer extends object>(path: string) {
  const text = read(path)
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-skill-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const unused = blocks(text, 'sh').join('').trim().split('\n')

  /** Takes the skill's next command that begins this way; each is used once. */
  function take(beginning: string): string {
    const at = unused.findIndex((line) => line.startsWith(`inbox ${beginning} `))
    if (at < 0) throw new Error(`the skill has no further command 'inbox ${beginning}'`)
    return unused.splice(at, 1)[0] as string
  }

  function spawn(line: string, given: Given) {
    const command = line.replace(/\b(THREAD|TOKEN|EVENT|MESSAGE|REQUEST)\b/g, (word) =>
      String(given[word as keyof Given]),
    )
    const child = Bun.spawn(['/bin/sh', '-c', `exec ${command}`], {
      cwd: folder,
      env: {
        PATH: `${join(ROOT, 'dist')}:${process.env.PATH}`,
        INBOX_DB: join(folder, 'coord.db'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { command, child }
  }

  function start(line: string, given: Given = {}, exit = 0) {
    const { command, child } = spawn(line, given)
    const answer = Promise.all([new Response(child.stdout).text(), child.exited]).then(
      ([out, code]) => {
        expect(`${command} -> ${code}`).toBe(`${command} -> ${exit}`)
        return JSON.parse(out) as Answer
      },
    )
    return { child, answer }
  }

  const run = (line: string, given: Given = {}): Promise<Answer> => start(line, given).answer
  const exitOf = (line: string): Promise<number> => spawn(line, {}).child.exited
  return { text, folder, unused, take, start, run, exitOf }
}

/** A skill describes its purpose and is short, because it is read into every agent's context. */
export function expectBrief(text: string, name: string): void {
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  expect(front).toMatch(new RegExp(`^name: ${name}$`, 'm'))
  expect(front).toMatch(/^description: .{80,1024}$/m)
  // A page, not a manual.
  expect(text.split(/\s+/).length).toBeLessThan(900)
}
