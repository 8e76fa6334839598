// Appends lines to one document of an instance's folder, as several agents do at once.

import { instanceFiles } from '../../src/bin/instance-files.ts'

const [, , dir = '', name = '', count = '0'] = process.argv
const place = { dir, channel_file: 'channel.md', document: 'notes.md', documents: [] }
process.stdout.write('{"ready":true}\n')
for await (const _ of process.stdin) {
  for (let i = 0; i < Number(count); i += 1) {
    await instanceFiles.alone(place, async ({ read, replace }) => {
      const was = read('notes.md')
      if (!replace('notes.md', { was, text: `${was ?? ''}${name} ${i}\n` })) throw new Error('lost')
    })
  }
  process.stdout.write('{"done":true}\n')
}
