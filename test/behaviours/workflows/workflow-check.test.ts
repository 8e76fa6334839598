import { expect } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { runProgram } from '../../worlds/program.ts'
import { refused } from '../../worlds/refused.ts'
import { flowIn } from '../../worlds/workflows.ts'
import type { World } from '../../worlds/world.ts'

type Checked = {
  valid: boolean
  name: string
  agents: string[]
  problems: { file?: string; line: number; column: number; what: string; remedy: string }[]
  warnings: { what: string }[]
}

/** Only the shell has this command, so the library has no type for it. */
function check({ inbox }: World, file: string): Promise<Checked> {
  const { workflowCheck } = inbox as unknown as {
    workflowCheck: (input: object) => Promise<Checked>
  }
  return workflowCheck({ file })
}

const RIGHT = `agents:
  worker:
    backend: command
    command: [sh, worker.sh]
    tools: [mailbox]
setup:
  - shell: touch ran
kickoff: "@worker \${{ env.NOT_SET }}"
`

behaves('workflow-check/right', async (world) => {
  writeFileSync(join(world.folder, 'flow.yaml'), RIGHT)
  const before = readdirSync(world.folder)
  const answer = await check(world, 'flow.yaml')
  expect(answer).toMatchObject({ valid: true, name: 'flow', agents: ['worker'], problems: [] })
  expect(world.exitOf(answer)).toBe(0)
  expect(readdirSync(world.folder)).toEqual(before)
  const { exit, stdout } = await runProgram(['workflow', 'check', 'flow.yaml'], {
    folder: world.folder,
  })
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: 'flow.yaml is right: workflow flow with worker\n',
  })
  expect(readdirSync(world.folder)).toEqual(before)
})

behaves('workflow-check/wrong', async (world) => {
  // A tool that the backend doesn't know is reported together with a structural error.
  const wrong = `${RIGHT.replace('mailbox', 'malbox')}kickof: now\n`
  writeFileSync(join(world.folder, 'wrong.yaml'), wrong)
  const answer = await check(world, 'wrong.yaml')
  expect(answer).toMatchObject({
    valid: false,
    problems: [
      { line: 5, column: 13, what: expect.stringContaining('"malbox" is not a tool') },
      { line: 9, column: 1, remedy: 'write kickoff' },
    ],
  })
  expect(world.exitOf(answer)).toBe(30)
  const { exit, stdout } = await runProgram(['workflow', 'check', 'wrong.yaml'], {
    folder: world.folder,
  })
  expect(exit).toBe(30)
  expect(stdout).toEndWith(
    'wrong.yaml:9:1 "kickof" is not a key of a workflow file; write kickoff\n',
  )
})

behaves('workflow-check/prompts', async (world) => {
  const { folder } = world
  mkdirSync(join(folder, 'flows/prompts'), { recursive: true })
  const using = (prompt: string) => {
    const text = `agents: { a: { backend: command, command: [sh], system_prompt: ${prompt} } }\n`
    writeFileSync(join(folder, 'flows/flow.yaml'), text)
    return check(world, 'flows/flow.yaml')
  }
  writeFileSync(join(folder, 'outside.md'), 'secret')
  writeFileSync(join(folder, 'flows/prompts/a.md'), 'You work.')
  symlinkSync(join(folder, 'outside.md'), join(folder, 'flows/prompts/link.md'))
  expect((await using('prompts/a.md')).problems).toEqual([])
  for (const [prompt, why] of [
    ['prompts/none.md', 'does not exist'],
    ['../outside.md', 'lies outside'],
    ['prompts/link.md', 'lies outside'],
    [join(folder, 'flows/prompts/a.md'), 'lies outside'],
  ] as const) {
    const { problems } = await using(prompt)
    expect({ prompt, problems }).toMatchObject({
      prompt,
      problems: [{ line: 1, what: expect.stringContaining(why) }],
    })
  }
})

behaves('workflow-check/unreadable', async (world) => {
  const { folder } = world
  writeFileSync(join(folder, 'latin.yaml'), new Uint8Array([0x67, 0xfc, 0x6e]))
  writeFileSync(join(folder, 'long.yaml'), 'x'.repeat(300_000))
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')])
  for (const file of ['none.yaml', '.', 'latin.yaml', 'long.yaml', 'pipe.yaml']) {
    const { message } = await refused(check(world, file), 'invalid_input')
    expect(message).toContain(`the workflow file "${file}"`)
    if (file === 'long.yaml') expect(message).toContain('has 300000 bytes; keep it under 262144')
  }
})

behaves('workflow-check/warned', async (world) => {
  const flow = await flowIn(world)
  flow.file(
    'near.yaml',
    'agents: { worker: { backend: command, command: [cat] } }\nkickoff: "@wroker go"\n',
  )
  const near = 'the kickoff mentions @wroker, which is not an agent here'
  const nobody = 'the kickoff mentions no agent, so none begins'
  const { valid, warnings } = await check(world, 'near.yaml')
  expect(valid).toBe(true)
  expect(warnings).toMatchObject([
    { line: 2, column: 10, what: nobody, remedy: 'mention one: @worker' },
    { line: 2, column: 10, what: near, remedy: 'write @worker' },
  ])
  const context = (dir: string) => `context: { config: { dir: "${dir}" } }\n`
  const agents = 'agents: { worker: { backend: command, command: [cat] } }\n'
  flow.file('fixed.yaml', agents + context(`out/\${{ workflow.name }}`))
  expect((await check(world, 'fixed.yaml')).warnings).toMatchObject([
    { line: 2, column: 27, remedy: `put \${{ instance }} into it` },
  ])
  flow.file('own.yaml', agents + context(`out/\${{ instance }}`))
  expect((await check(world, 'own.yaml')).warnings).toEqual([])
  const ran = await flow.run('workflow', 'run', 'near.yaml')
  expect(ran).toMatchObject({ exit: 10, stderr: expect.stringContaining(`${near}; write @worker`) })
})
