// The sentences about the server of a workflow's instance, part of the manifest in test/behaviours.ts.

import { CLI, type Entry, LIBRARY, only } from '../../entry.ts'

const ITS_OWN = 'the runner starts this server, whatever the door'

export const CONTEXT_SERVER_ENTRIES = {
  'context-server/callers': only(
    LIBRARY,
    ITS_OWN,
    'The server of an instance lets in its agents, by X-Agent-Id or a token, and no one else.',
  ),
  'context-server/channel': only(
    LIBRARY,
    ITS_OWN,
    'A mention that one agent sends ends the blocked inbox_check of another.',
  ),
  'context-server/listening': only(
    LIBRARY,
    ITS_OWN,
    'A client that listens is told of each mention of its agent, once and in order.',
  ),
  'context-server/place': only(
    LIBRARY,
    ITS_OWN,
    'A socket that cannot be in its instance’s folder is in the runtime folder, and the run says so.',
  ),
  'context-server/stranger': only(
    CLI,
    'each start of the program is a separate server',
    'inbox mcp with the set workflow refuses agents outside of an instance, and registers no one.',
  ),
  'backend/key': only(
    CLI,
    'only the shell starts programs',
    'A model without a key of its provider or of the gateway is refused before anything starts.',
  ),
} satisfies Record<string, Entry>
