// Alternates between a folder and a link at one path as fast as it can, until it's killed.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'

const [, , path = '', outside = ''] = process.argv
for (let turned = 0; ; turned += 1) {
  try {
    if (turned % 2 === 0) {
      mkdirSync(`${path}.next`)
      rmSync(path, { recursive: true, force: true })
      renameSync(`${path}.next`, path)
    } else {
      symlinkSync(outside, `${path}.next`)
      rmSync(path, { recursive: true, force: true })
      renameSync(`${path}.next`, path)
    }
  } catch {
    // The other process wrote to the folder at the same time.
    rmSync(`${path}.next`, { recursive: true, force: true })
  }
  if (turned === 0) writeSync(1, '{"turning":true}\n')
}
