// Every file in the examples and on the page about workflows is accepted by the reader and by the JSON Schema.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { parse } from 'yaml'
import { readWorkflow } from '../../src/workflows/read-workflow.ts'
import {
  ANY_MACHINE,
  backendProblems,
  readWorkflowFile,
} from '../../src/workflows/workflow-file.ts'
import { blocks, ROOT, read } from './documents.ts'

const AROUND = {
  cwd: ROOT,
  instance: 'default',
  env: () => undefined,
  params: {},
  now: '2026-05-01T10:00:00.000Z',
  checkOnly: true,
}

const schema = JSON.parse(read('docs/reference/workflow.schema.json')) as object
const isValid = new AjvJsonSchemaValidator().getValidator(schema)

const examples = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => join('examples', file))

test('there are two examples with real programs, and two without', () => {
  expect(examples.toSorted()).toEqual([
    'examples/code-review.yaml',
    'examples/command/code-review.yaml',
    'examples/command/review.yaml',
    'examples/review.yaml',
  ])
})

test.each(examples)('%s is valid', async (file) => {
  const found = await readWorkflowFile({ ...AROUND, file })
  if ('problems' in found) throw new Error(JSON.stringify(found.problems))
  expect(found.warnings).toEqual([])
  expect(await backendProblems(found.plan.agents, ANY_MACHINE)).toEqual([])
  const text = readFileSync(join(ROOT, file), 'utf8')
  expect(isValid(parse(text))).toMatchObject({ valid: true })
})

const shown = blocks(read('docs/workflows.md'), 'yaml').map((text, at) => [at + 1, text] as const)

test.each(shown)('block %i of the page about workflows is valid', async (_, text) => {
  const around = {
    ...AROUND,
    path: join(ROOT, 'flow.yaml'),
    readText: () => ({ text: 'You work.' }),
  }
  const found = await readWorkflow(text, around)
  if ('problems' in found) throw new Error(JSON.stringify(found.problems))
  expect(found.warnings).toEqual([])
  expect(await backendProblems(found.plan.agents, ANY_MACHINE)).toEqual([])
  expect(isValid(parse(text))).toMatchObject({ valid: true })
})

/** The schema checks only shapes; the reader refuses whatever the schema refuses. */
test.each([
  'agents: {}',
  'agents: { a: { modle: x } }',
  'agents: { 2nd: { model: x } }',
  'agents: { a: { backend: comand } }',
  'agents: { a: { timeout: soon } }',
  'agents: { a: { hops: 0 } }',
  'agents: { a: { command: sh } }',
  'agents: { a: { wakeup: often } }',
  'agents: { a: {} }\ncontext: true',
  'agents: { a: {} }\nsetup: [{ as: x }]',
  'agents: { a: {} }\nparams: [{ name: 1 }]',
  'agents: { a: {} }\ncompletion: idle',
  'name: x',
])('the schema and the reader both refuse %p', async (text) => {
  expect(isValid(parse(text))).toMatchObject({ valid: false })
  const around = { ...AROUND, path: join(ROOT, 'flow.yaml'), readText: () => ({ text: '' }) }
  expect(await readWorkflow(text, around)).toHaveProperty('problems')
})
