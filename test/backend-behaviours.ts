// The sentences about backends: the programs that take the turns of a workflow's agents. They are part of the manifest in
// behaviours.ts.

import { CLI, type Entry, only } from './entry.ts'

const OF_SHELL = 'only the shell starts programs'

export const BACKEND_ENTRIES = {
  'backend/tools': only(
    CLI,
    OF_SHELL,
    'A tool that is no set of ours and no name of its backend is a fault that lists those it takes.',
  ),
  'backend/model': only(
    CLI,
    OF_SHELL,
    'A model that its backend cannot run is a fault of the file, with one that it can.',
  ),
} satisfies Record<string, Entry>
