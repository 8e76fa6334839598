// Takes and releases one lock again and again. Prints how often another process was inside at the same time.

import { mkdirSync, rmdirSync } from 'node:fs'
import { tryLock } from '../../src/bin/file-lock.ts'

const [, , folder = '', count = '0'] = process.argv
process.stdout.write('ready\n')
// All of them start on the same signal.
for await (const _ of process.stdin) {
  let clashes = 0
  for (let held = 0; held < Number(count); ) {
    const release = tryLock(`${folder}/shared.lock`)
    if (release === null) continue
    held += 1
    try {
      // Fails if another process has made it and not yet removed it.
      mkdirSync(`${folder}/inside`)
      rmdirSync(`${folder}/inside`)
    } catch {
      clashes += 1
    }
    release()
  }
  process.stdout.write(`${clashes}\n`)
}
