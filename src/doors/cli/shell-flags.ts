// Flags that only the shell has: they change how a result is shown or where it goes, not what is done.

import type { Arity } from './argv.ts'
import type { FlagSpec } from './flags.ts'

export const SHELL_FLAGS: Partial<Record<string, FlagSpec[]>> = {
  status: [
    { flag: '--watch', value: '', about: 'stay and redraw as things happen', repeats: false },
  ],
  export: [
    {
      flag: '--out',
      value: 'PATH',
      about: 'write to a file, going on where it ends when it exists',
      repeats: false,
    },
  ],
  'mail export': [
    { flag: '--out', value: 'PATH', about: 'write to a file, which must be new', repeats: false },
  ],
  serve: [
    {
      flag: '--db',
      value: 'PATH|URL',
      about: 'a store to serve; repeatable (default: INBOX_DB, else the nearest .agents/coord.db)',
      repeats: true,
    },
  ],
  import: [
    {
      flag: '--rejects',
      value: 'PATH',
      about: 'where unusable lines are kept (default: FILE.rejected)',
      repeats: false,
    },
  ],
}

export function arityOf({ value, repeats }: FlagSpec): Arity {
  if (value === '') return 'switch'
  return repeats ? 'many' : 'once'
}
