// The sentences about backends, the programs that take the turns of a workflow's agents, part of the manifest in
// test/behaviours.ts.

import { CLI, type Entry, only } from '../../entry.ts'

const OF_SHELL = 'only the shell starts programs'

export const BACKEND_ENTRIES = {
  'backend/tools': only(
    CLI,
    OF_SHELL,
    'A tool that is neither one of our sets nor a name of its backend is an error that lists those it takes.',
  ),
  'backend/model': only(
    CLI,
    OF_SHELL,
    'A model that its backend cannot run is an error of the file, with one that it can.',
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
    'After a turn, the project file that lent a program its tools is as it was before.',
  ),
  'backend/killed-turn': only(
    CLI,
    OF_SHELL,
    'After a kill of turn and runner, the next run in the folder puts the file of the project back.',
  ),
} satisfies Record<string, Entry>
