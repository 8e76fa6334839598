import { expect, test } from 'bun:test'
import {
  factsByPs,
  factsInProc,
  isGone,
  isRunning,
  ownMark,
  startingProgram,
} from './process-tree.ts'

test('reads the same facts of a process from /proc and from ps', async () => {
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

test('recognizes the running parent, but not a later process with the same id', () => {
  const word = startingProgram() ?? ''
  expect(isRunning(word)).toBe(true)
  expect(isRunning(`${word}0`)).toBe(false)
})

test('counts a process as gone only if it could be checked', async () => {
  const child = Bun.spawn(['true'])
  const { pid } = child
  await child.exited
  const [space, own = ''] = ownMark().split('\n')
  const left = `${space}\n${own.replace(/^\d+/, String(pid))}`
  expect([isGone(left), isGone(left, factsByPs)]).toEqual([true, true])
  expect([isGone(ownMark()), isGone(`${space}\n${process.pid} `)]).toEqual([false, false])
  const { PATH } = process.env
  try {
    process.env.PATH = '/nowhere'
    expect([isGone(left, factsByPs), isGone(ownMark(), factsByPs)]).toEqual([false, false])
  } finally {
    process.env.PATH = PATH
  }
})
