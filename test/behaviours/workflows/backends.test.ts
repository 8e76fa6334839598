import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BACKENDS } from '../../../src/backends/backend.ts'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import type { World } from '../../worlds/world.ts'

/** The exit code and output of `workflow check` for one agent with these settings. */
async function check({ folder }: World, settings: string) {
  const text = `agents:\n  a: { system_prompt: x, ${settings} }\n`
  writeFileSync(join(folder, 'flow.yaml'), text)
  const { exit, stdout } = await runProgram(['workflow', 'check', 'flow.yaml'], { folder })
  return { exit, stdout }
}

const OWN: Record<string, string> = {
  sdk: 'run_command',
  claude: 'Bash(git diff:*)',
  codex: 'workspace-write',
  opencode: 'bash',
  cursor: 'force',
  gemini: 'run_shell_command',
}
const MODEL = 'model: anthropic/claude-sonnet-4-5'

behaves('backend/tools', async (world) => {
  for (const backend of BACKENDS.filter((name) => name in OWN)) {
    const more = backend === 'sdk' ? `${MODEL}, ` : ''
    const right = `${more}backend: ${backend}, tools: [mailbox, "${OWN[backend]}"]`
    expect([backend, await check(world, right)]).toMatchObject([backend, { exit: 0 }])
    const wrong = await check(world, `${more}backend: ${backend}, tools: [Launch]`)
    expect(wrong.exit).toBe(30)
    expect(wrong.stdout).toContain(
      `agent a: "Launch" is not a tool of the backend ${backend}; it takes workspace, mailbox, threads, requests, `,
    )
  }
})

behaves('backend/model', async (world) => {
  for (const backend of ['claude', 'opencode', 'cursor']) {
    expect([backend, await check(world, `${MODEL}, backend: ${backend}`)]).toMatchObject([
      backend,
      { exit: 0 },
    ])
  }
  for (const [settings, words] of [
    ['backend: claude, model: openai/gpt-5', 'write anthropic/claude-sonnet-4-5'],
    [`backend: codex, ${MODEL}`, 'write openai/gpt-5-codex'],
    [`backend: gemini, ${MODEL}`, 'write google/gemini-2.5-pro'],
    ['backend: opencode, model: sonnet', 'write for example anthropic/claude-sonnet-4-5'],
  ] as const) {
    const { exit, stdout } = await check(world, settings)
    expect([settings, exit]).toEqual([settings, 30])
    expect(stdout).toContain(words)
  }
})
