// The sentences about running workflows, part of the manifest in test/behaviours.ts.

import { CLI, type Entry, only } from '../../entry.ts'

const STARTS = 'a runner starts programs, which the library does not'

export const RUNNER_ENTRIES = {
  'workflow-run/idle': only(
    CLI,
    STARTS,
    'workflow run sends the kickoff, starts the agents it mentions, and ends idle with their last messages.',
  ),
  'workflow-run/setup': only(
    CLI,
    STARTS,
    'Setup runs before the kickoff, which contains its output; a mention in that output calls no one.',
  ),
  'workflow-run/setup-fails': only(
    CLI,
    STARTS,
    'Setup that fails ends the run as failed before any agent was called, and says what failed.',
  ),
  'workflow-run/gives-up': only(
    CLI,
    STARTS,
    'An agent that fails three times is given up on: its mail bounces, the channel tells its sender, exit 1.',
  ),
  'workflow-run/no-kickoff': only(
    CLI,
    STARTS,
    'A run whose file has no kickoff ends at once as no_kickoff, with exit 10.',
  ),
  'workflow-run/timeout': only(
    CLI,
    STARTS,
    'A run past --timeout-seconds ends what its agents do and is a timeout, with exit 10.',
  ),
  'workflow-run/second': only(
    CLI,
    STARTS,
    'A second runner of an instance is refused with exit 20 while the first is there.',
  ),
  'workflow-run/folder': only(
    CLI,
    STARTS,
    'A folder has one run at a time; the next one there keeps the text of the channel before it.',
  ),
  'workflow-run/served': only(
    CLI,
    STARTS,
    'inbox serve beside a run serves its tools too, and starts none of its agents a second time.',
  ),
  'workflow-run/tokens': only(
    CLI,
    STARTS,
    'If anyone has a token, each turn gets one, and a name alone is not let in at the port.',
  ),
  'workflow-run/owner': only(
    CLI,
    STARTS,
    'Only its runner starts a workflow’s agent: wake run leaves it alone, and wake explain says so.',
  ),
  'workflow-stop/killed': only(
    ['sqlite/cli'],
    'only the shell can look for the process of a runner, whatever the store',
    'workflow stop ends at once a run whose runner was killed on this machine.',
  ),
  'workflow-run/stop': only(
    CLI,
    STARTS,
    'Ctrl-C, a closed terminal, and workflow stop from anywhere end a run and all its programs, even stray ones.',
  ),
  'workflow-run/ping-pong': only(
    CLI,
    STARTS,
    'Agents that only call each other come to an end as hops, and a run out of turns as budget.',
  ),
  'workflow-run/flood': only(
    CLI,
    STARTS,
    'Entries over the limit of an agent’s turn are refused, and other agents are not affected.',
  ),
  'workflow-run/setup-hangs': only(
    CLI,
    STARTS,
    'A setup that hangs ends with the run’s timeout or a stop, and no agent is called.',
  ),
  'workflow-run/memory': only(
    CLI,
    STARTS,
    'A run in memory has channel and documents, and leaves no file and no store behind.',
  ),
  'workflow-run/memory-left': only(
    CLI,
    STARTS,
    'A run in memory makes no other store, and removes what a killed one left; a living one keeps its own.',
  ),
  'workflow-run/taken-over': only(
    CLI,
    STARTS,
    'The instance of a runner that was killed on this machine is taken over at once.',
  ),
  'workflow-run/none': only(
    CLI,
    STARTS,
    'Without a context the kickoff is mail to each agent that it mentions, and there is no channel.',
  ),
  'workflow-run/killed': only(
    CLI,
    STARTS,
    'After a killed runner no agent lives past 40 s, and resume presents again what was not read.',
  ),
  'workflow-run/left-out': only(
    CLI,
    STARTS,
    'A mention of an agent that the file of a resumed run leaves out bounces, and the channel says so.',
  ),
  'workflow-run/mail-order': only(
    CLI,
    STARTS,
    'A program gets its mail as a prompt has it: high priority first, then in the order of time.',
  ),
  'workflow-start/background': only(
    CLI,
    STARTS,
    'workflow start goes on in the background: send reaches its agents, and stop ends it.',
  ),
  'workflow-start/begun': only(
    CLI,
    STARTS,
    'start --background answers once setup is over and the kickoff is sent, or with how setup failed.',
  ),
  'workflow-turn/internal': only(
    CLI,
    STARTS,
    'workflow turn and workflow keep, without a runner’s authorization, are refused and start nothing.',
  ),
  'workflow-new/alone': only(
    CLI,
    STARTS,
    'workflow new starts one standalone agent that answers what is sent to it.',
  ),
  'workflow-new/refused': only(
    CLI,
    STARTS,
    'workflow new refuses a reserved name, and an agent that its backend cannot run.',
  ),
  'workflow-run/refused': only(
    CLI,
    STARTS,
    'A file with errors, or a missing program, is refused before anything is started.',
  ),
} satisfies Record<string, Entry>
