// Points one link at two files in turn as fast as it can, until it's killed.

import { renameSync, symlinkSync, writeSync } from 'node:fs'

const [, , link = '', ...targets] = process.argv
for (let turned = 0; ; turned += 1) {
  symlinkSync(targets[turned % targets.length] as string, `${link}.next`)
  renameSync(`${link}.next`, link)
  if (turned === 0) writeSync(1, '{"turning":true}\n')
}
