// Tests the demo's files: its log can be moved to another time and folder, and its scenes only make calls that
// operations accept.

import { expect, test } from 'bun:test'
import { loadOperation } from '../../ops/catalogue.ts'
import { readInput } from '../../ops/kit/read-input.ts'
import { EXPORTED_AT, moveLog } from './demo.ts'
import { readDemoFiles } from './demo-files.ts'
import type { Track } from './live.ts'
import { CAST } from './stage.ts'

const { log, live, documents } = await readDemoFiles()

test('moving a log by 0 ms changes only its folder', () => {
  const moved = moveLog(log, { laterMs: 0, folder: '/demo' })
  expect(moved.map((line) => JSON.parse(line))).toEqual(
    log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
})

test('moves every time in the log by the same amount', () => {
  const moved = moveLog(log, { laterMs: 86_400_000 * 365, folder: '/a "quoted" folder' }).join('\n')
  expect(moved).not.toMatch(/2026-\d\d-\d\dT/)
  expect(moved).toContain('2027-11-09T')
  expect(moved).not.toContain('/demo/')
  const last = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '')
  expect(Date.parse(last.event.created_at)).toBeLessThan(EXPORTED_AT)
})

test('every scene is a valid call by a cast member, or replaces text its document contains', async () => {
  for (const { scenes } of JSON.parse(live) as Track[]) {
    for (const scene of scenes) {
      if ('call' in scene) {
        expect([...Object.keys(CAST), 'user']).toContain(scene.as)
        const { fields } = await loadOperation(scene.call)
        expect(() => readInput(fields, scene.input, { agent: scene.as })).not.toThrow()
        continue
      }
      const text = new TextDecoder().decode(documents.get(scene.file))
      for (const old of Object.keys(scene.replace)) expect(text).toContain(old)
    }
  }
})
