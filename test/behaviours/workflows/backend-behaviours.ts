// The sentences about backends, the programs that take the turns of a workflow's agents, part of the manifest in
// test/behaviours.ts.

import { CLI, type Entry, only } from '../../entry.ts'

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
  'backend/command': only(
    CLI,
    OF_SHELL,
    'A command agent gets its mail as lines of JSON; its exit code says whether it dealt with it.',
  ),
  'backend/missing': only(
    CLI,
    OF_SHELL,
    'A run whose agent needs a program that is not installed starts nothing, and says how to get it.',
  ),
  'backend/lent-file': only(
    CLI,
    OF_SHELL,
    'A file of the project that a program reads its tools from is as it was after its turn.',
  ),
  'backend/killed-turn': only(
    CLI,
    OF_SHELL,
    'After a kill of turn and runner, the next run in the folder puts the file of the project back.',
  ),
} satisfies Record<string, Entry>
