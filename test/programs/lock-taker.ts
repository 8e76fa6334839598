// Takes every lock it can, in the given order, and holds them until its input ends.

import { lockFile } from '../../src/bin/file-lock.ts'

const [, , folder = '', count = '0'] = process.argv
const taken: number[] = []
process.stdout.write('ready\n')
// All of them start on the same signal.
for await (const _ of process.stdin) {
  for (let i = 0; i < Number(count); i += 1) {
    try {
      lockFile(`${folder}/${i}`)
      taken.push(i)
    } catch {
      // Another process holds this lock.
    }
  }
  process.stdout.write(`${JSON.stringify(taken)}\n`)
}
