// An agent that writes far more output than is kept.

import { writeSync } from 'node:fs'
import { givenMail, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: await givenMail() })
const megabyte = new Uint8Array(1_048_576).fill(46)
for (let i = 0; i < 64; i++) {
  for (const fd of [1, 2]) {
    for (let at = 0; at < megabyte.length; ) at += writeSync(fd, megabyte, at)
  }
}
console.error('\nthat was all')
