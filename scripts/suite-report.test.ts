import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, ledgerTable, readJunit } from './suite-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'junit-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  const path = join(folder, 'report.xml')
  writeFileSync(path, text)
  return readJunit(path)
}

test('counts come from the root of the file', () => {
  const suites =
    '<testsuites name="bun test" tests="9" assertions="2" failures="2" skipped="3" time="0.006">'
  expect(
    read(`<?xml version="1.0"?>\n${suites}\n<testsuite tests="1" failures="1" skipped="0">`),
  ).toEqual({
    passed: 4,
    failed: 2,
    skipped: 3,
  })
})

test('a file that is missing, empty or cut short counts as no report', () => {
  expect(readJunit(join(folder, 'missing.xml'))).toBeUndefined()
  expect(read('')).toBeUndefined()
  expect(read('<testsuites tests="9">')).toBeUndefined()
})

test('a suite that ran nothing or crashed has failed', () => {
  const none = { passed: 0, failed: 0, skipped: 4 }
  expect(judge(undefined, false).failed).toBe(1)
  expect(judge(none, true)).toEqual({ ...none, failed: 1, note: 'ran no tests' })
  expect(judge({ passed: 3, failed: 0, skipped: 0 }, false).failed).toBe(1)
  expect(judge({ passed: 3, failed: 2, skipped: 0 }, false).failed).toBe(2)
  expect(judge({ passed: 3, failed: 0, skipped: 1 }, true).failed).toBe(0)
})

test('the ledger is a table', () => {
  const suite = { name: 'unit', passed: 90, failed: 1, skipped: 0, wallMs: 1234, cpuMs: 2000 }
  const left = { name: 'races', passed: 0, failed: 0, skipped: 0, wallMs: 0, cpuMs: 0 }
  expect(ledgerTable([suite, { ...left, note: 'left out' }])).toBe(
    [
      'suite  tests  failed  skipped   wall    cpu',
      'unit      91       1        0  1.2 s  2.0 s',
      'races      0       0        0  0.0 s  0.0 s  left out',
    ].join('\n'),
  )
})
