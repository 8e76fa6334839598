import { homedir } from 'node:os'
import type { Disk } from '../core/disk.ts'
import { editAlone } from './file-edits.ts'
import { lastingCommand } from './own-command.ts'
import { readText, realPath } from './text-file.ts'

export function makeDisk(program: readonly string[]): Disk {
  return {
    read: readText,
    alone: (note, work) => editAlone({ place: note, root: homedir() }, work),
    real: realPath,
    parseToml: (text) => Bun.TOML.parse(text),
    home: homedir(),
    cwd: process.cwd(),
    program: () => lastingCommand(program),
  }
}
