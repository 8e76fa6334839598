import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, ledgerTable, readJunit, reportSuites } from './suite-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'junit-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  const path = join(folder, 'report.xml')
  writeFileSync(path, text)
  return readJunit(path)
}

test('counts come from the root element', () => {
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

test('a suite that ran no tests or crashed has failed', () => {
  const none = { passed: 0, failed: 0, skipped: 4 }
  expect(judge(undefined, false).failed).toBe(1)
  expect(judge(none, true)).toEqual({ ...none, failed: 1, note: 'ran no tests' })
  expect(judge({ passed: 3, failed: 0, skipped: 0 }, false).failed).toBe(1)
  expect(judge({ passed: 3, failed: 2, skipped: 0 }, false).failed).toBe(2)
  expect(judge({ passed: 3, failed: 0, skipped: 1 }, true).failed).toBe(0)
})

const SUITES = [
  { name: 'unit', paths: ['src/a.test.ts', 'scripts/b.test.ts'] },
  { name: 'races', paths: ['test/races/c.test.ts'] },
]

function report(text: string, ok: boolean) {
  const path = join(folder, 'together.xml')
  writeFileSync(path, text)
  return reportSuites(SUITES, path, ok)
}

const file = (name: string, tests: number, failed: number) =>
  `  <testsuite name="${name}" file="${name}" tests="${tests}" failures="${failed}" skipped="0" time="0.5">
    <testsuite name="inner" file="${name}" tests="${tests}" failures="${failed}" skipped="0" time="0.5">`
const root = (tests: number, failed: number) =>
  `<testsuites name="bun test" tests="${tests}" failures="${failed}" skipped="0" time="1">`

test('each suite of a run gets the results of its own files', () => {
  const files = [
    file('src/a.test.ts', 2, 0),
    file('scripts/b.test.ts', 3, 0),
    file('test/races/c.test.ts', 4, 1),
  ]
  expect(report([root(9, 1), ...files].join('\n'), false)).toEqual([
    { name: 'unit', passed: 5, failed: 0, skipped: 0, testMs: 1000 },
    { name: 'races', passed: 3, failed: 1, skipped: 0, testMs: 500 },
  ])
})

test('a run fails if one of its suites ran no tests, if it crashed, or if its report does not add up', () => {
  const [unit, races] = [file('src/a.test.ts', 2, 0), file('test/races/c.test.ts', 4, 0)]
  const failures = (text: string, ok: boolean) => report(text, ok).map(({ failed }) => failed)
  expect(failures([root(6, 0), unit, races].join('\n'), true)).toEqual([0, 0])
  expect(failures([root(2, 0), unit].join('\n'), true)).toEqual([0, 1])
  expect(failures([root(6, 0), unit, races].join('\n'), false)).toEqual([1, 0])
  expect(failures([root(7, 0), unit, races].join('\n'), true)).toEqual([1, 0])
  expect(failures('', true)).toEqual([1, 1])
})

test('the ledger is a table', () => {
  const suite = { name: 'unit', passed: 90, failed: 1, skipped: 0, testMs: 1234 }
  const left = { name: 'races', passed: 0, failed: 0, skipped: 0, testMs: 0 }
  expect(ledgerTable([suite, { ...left, note: 'left out' }])).toBe(
    [
      'suite  tests  failed  skipped   time',
      'unit      91       1        0  1.2 s',
      'races      0       0        0  0.0 s  left out',
    ].join('\n'),
  )
})
