// A process that changes documents on a small disk: while there is space, when it is full, when there is space again,
// and once the disk is read-only. Each line of input is one change; it prints the result.

import { createInterface } from 'node:readline'
import { instanceFiles } from '../../src/bin/instance-files.ts'

const [, , dir = ''] = process.argv
const place = { dir, channel_file: 'channel.md', document: 'notes.md', documents: [] }

for await (const line of createInterface({ input: process.stdin })) {
  const [file = '', size = '0'] = line.split(' ')
  const text = 'x'.repeat(Number(size))
  const told = await instanceFiles
    .alone(place, async ({ read, replace }) => replace(file, { was: read(file), text }))
    .catch((error: { code?: string; message: string }) => `${error.code} ${error.message}`)
  console.log(JSON.stringify([line, told]))
}
