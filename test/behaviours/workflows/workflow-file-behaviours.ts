// The sentences about workflow files, part of the manifest in test/behaviours.ts.

import { CLI, type Entry, only } from '../../entry.ts'

const OF_SHELL = 'the file is the caller’s, and only the shell reads the files of its caller'

export const WORKFLOW_FILE_ENTRIES = {
  'workflow-check/right': only(
    CLI,
    OF_SHELL,
    'workflow check reads a file, names the workflow and its agents, and starts and makes nothing.',
  ),
  'workflow-check/wrong': only(
    CLI,
    OF_SHELL,
    'Each error of a workflow file is reported with line, column and remedy, and the exit is 30.',
  ),
  'workflow-check/prompts': only(
    CLI,
    OF_SHELL,
    'A prompt file is read next to its workflow; one that is missing or outside is an error.',
  ),
  'workflow-check/unreadable': only(
    CLI,
    OF_SHELL,
    'A workflow file that is missing, not a file, not text or too long is refused, and nothing hangs.',
  ),
  'workflow-check/warned': only(
    CLI,
    OF_SHELL,
    'A check warns of a kickoff that mentions no agent, as a run does, and of a folder that runs share.',
  ),
} satisfies Record<string, Entry>
