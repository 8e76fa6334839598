import { expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepPlan } from './runner-folder.ts'

test('a run removes other runs’ plans and wishes, and keeps its own', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'mailroom-plan-'))
  try {
    for (const name of [
      'plan-1.json',
      'plan-1.json.half',
      'wish-1.json',
      'wish-2.json',
      'runner.log',
    ]) {
      fs.writeFileSync(join(folder, name), '{}')
    }
    const plan = { path: join(folder, 'plan-2.json'), digest: '', text: '{}' }
    keepPlan(folder, plan, join(folder, 'wish-2.json'))
    expect(fs.readdirSync(folder).sort()).toEqual(['plan-2.json', 'runner.log', 'wish-2.json'])
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
