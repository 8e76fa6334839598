import { expect, test } from 'bun:test'
import {
  factsByPs,
  factsInProc,
  isGone,
  isRunning,
  ownMark,
  startingProgram,
} from './process-tree.ts'

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

test('a process counts as gone only where somebody could look', async () => {
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
