// Resolves folders of this machine to their real paths.

import { realpathSync, statSync } from 'node:fs'
import { quote, refuse } from '../core/error.ts'
import type { Folders } from '../core/identity/workspace.ts'

export const folders: Folders = {
  async real(path) {
    let real: string
    try {
      real = realpathSync.native(path)
      if (statSync(real).isDirectory()) return real
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        throw refuse('not_found', `there is no folder ${quote(path)}`)
      }
      throw refuse('invalid_input', `${quote(path)} cannot be read: ${code}`)
    }
    throw refuse('invalid_input', `${quote(path)} is not a folder`)
  },
}
