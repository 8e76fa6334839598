// The sentences about agent runs and workspace reviews, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  BY_PROGRAM,
  CLI,
  type Entry,
  everywhere,
  LIBRARY,
  only,
  STOP_BESIDE,
} from '../../entry.ts'

export const AGENT_RUN_ENTRIES = {
  'agent-run/paused': everywhere(
    'A review begins an agent run and pauses it, and is a request about that run, in one step.',
  ),
  'agent-run/bad-input': everywhere(
    'A review by a person, without a body, with changes of another form or in another’s run is refused.',
  ),
  'agent-run/once': everywhere(
    'A review that is submitted again under its name is one request; with other content it is refused.',
  ),
  'agent-run/later': everywhere(
    'A later review continues the run, and the request of the earlier one is cancelled.',
  ),
  'agent-run/stale': everywhere(
    'An earlier review, and any of a run that is over, is refused: to its agent and to the person who decides.',
  ),
  'agent-run/routed': everywhere(
    'A review is for the person whom the agent, or the nearest of eight above it, is paired with.',
  ),
  'agent-run/system': everywhere(
    'The review of an agent of the platform is for all people, and not marked.',
  ),
  'agent-run/unrouted': everywhere(
    'A review that no one is responsible for goes to all people, marked in its title and with a warning.',
  ),
  'agent-run/resumed': everywhere(
    'An approval resumes the run; a request for changes too, with the notes as the answer to the agent.',
  ),
  'agent-run/cancelled': atDoors(
    STOP_BESIDE,
    'A rejection cancels the run, and the agent hears with every answer that it is to stop that run.',
  ),
  'agent-run/resubmitted': everywhere(
    'A review that is submitted again pauses its run again; one that is taken back resumes it, not approved.',
  ),
  'agent-run/grace': everywhere(
    'While a decision is held its run stays paused and goes on to no other review; then it moves.',
  ),
  'agent-run/bad-agents': everywhere(
    'Where imported agents form a circle, or have an unknown parent, a review is unrouted and says so.',
  ),
  'agent-run/ended': everywhere(
    'Its agent or a person ends a run, with the review that waits; a run that is over does not end again.',
  ),
  'agent-run/key': everywhere('A change to an agent run happens once per key.'),
  'agent-run/listed': everywhere(
    'agent runs lists runs, the latest first, by agent and status, with what people said.',
  ),
  'agent-run/sight': everywhere(
    'People and the orchestrator see every agent run, an agent sees its own, and another’s is not found.',
  ),
  'agent-run/reserved': everywhere('Only a review can say that it is about its agent run.'),
  'agent-run/backfill': everywhere(
    'request backfill makes the requests that paused runs lack, and the second time none.',
  ),
  'agent-run/replay': everywhere(
    'A log with agent runs replays to its tables, and is exported, imported and exported again the same.',
  ),
  'agent-run/bad-lines': everywhere(
    'A line of the log that no agent run could have caused is set aside: an approval that no one gave, and the like.',
  ),
  'agent-run/pruned': everywhere(
    'An agent run outlives a request of its that was pruned: it is imported without it, and goes on.',
  ),
  'agent-run/tampered': everywhere(
    'The doctor finds an agent run that was changed without the log.',
  ),
  'agent-run/wake': only(
    CLI,
    BY_PROGRAM,
    'A resumed run starts its agent by a workspace event, with the notes, whether or not mail would wake it.',
  ),
  'agent-run/no-wake': only(
    CLI,
    BY_PROGRAM,
    'A cancelled run starts no one; the agent hears of it with its next start.',
  ),
  'request/largest': only(
    LIBRARY,
    'a flag of the shell cannot take that much',
    'The largest and deepest payload, notes and review are exported, imported and exported again the same.',
  ),
} satisfies Record<string, Entry>
