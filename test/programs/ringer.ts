// Rings a doorbell in bursts, on orders from stdin: `N` means "write N to the note, ringing on the way
// up to it", with gaps so short that a watcher that joins rings would lose some.

import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { doorbell } from '../../src/wake/doorbell.ts'

const [path = '', note = ''] = process.argv.slice(2)
const bell = doorbell({ path })

for await (const order of createInterface({ input: process.stdin })) {
  for (let ring = 0; ring < 6; ring++) {
    if (ring === 5) writeFileSync(note, order)
    bell.ring()
    const until = performance.now() + Math.random() * 1.5
    while (performance.now() < until);
  }
}
