import { expect, test } from 'bun:test'
import { factsByPs, factsInProc, isRunning, startingProgram } from './process-tree.ts'

test('a process is told by its start, by both ways', async () => {
  const child = Bun.spawn(['sleep', '100'])
  const expected = { parent: process.pid, started: expect.any(String), command: 'sleep' }
  expect(factsInProc(child.pid)).toEqual(expected)
  expect(factsByPs(child.pid)).toEqual(expected)
  const before = factsByPs(child.pid)
  expect(factsByPs(child.pid)).toEqual(before)
  child.kill('SIGKILL')
  await child.exited
  expect([factsInProc(child.pid), factsByPs(child.pid)]).toEqual([undefined, undefined])
})

test('the program above is running, and another with its id is another', () => {
  const word = startingProgram() ?? ''
  expect(isRunning(word)).toBe(true)
  expect(isRunning(`${word}0`)).toBe(false)
})
