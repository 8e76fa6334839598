// Adding to Mailroom touches few existing files, and each edit still fits there. growth.test.ts makes the edits.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../documents.ts'
import { type FileEdit, OPERATION_EDITS, SUBJECT_EDITS } from './edits.ts'

test('a subject with a record and two operations edits at most eight files, and an operation four', () => {
  const filesOf = (edits: FileEdit[]) => new Set(edits.map(({ file }) => file)).size
  expect(filesOf(SUBJECT_EDITS)).toBeLessThanOrEqual(8)
  expect(filesOf(OPERATION_EDITS)).toBeLessThanOrEqual(4)
})

test('the line that each edit follows occurs once in its file', () => {
  for (const { file, after } of [...SUBJECT_EDITS, ...OPERATION_EDITS]) {
    const count = readFileSync(join(ROOT, file), 'utf8').split(after).length - 1
    expect({ file, after, count }).toEqual({ file, after, count: 1 })
  }
})
