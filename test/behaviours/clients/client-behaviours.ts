// The sentences about agents' programs, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  CLI,
  type Entry,
  everywhere,
  LIBRARY,
  only,
  PRESENTED,
  WAITING,
} from '../../entry.ts'

/** None of our tools runs hooks: agents' programs run them as a command, or their shells ask a server. */
const OF_HOOKS = { ...WAITING, doors: ['cli', 'http'] } as const

export const CLIENT_ENTRIES = {
  'hook/start': everywhere(
    'A hook at the start of a turn shows unread mail in its program’s form, and presents it.',
  ),
  'hook/stop': atDoors(
    PRESENTED,
    'A hook before the end of a turn holds the agent for mail that was never shown, and only once.',
  ),
  'hook/gone-out': only(
    LIBRARY,
    'flags cannot express an empty list; a hook sends one to a server',
    'A hook that is told what was sent presents that and nothing else.',
  ),
  'hook/given': everywhere(
    'A hook neither repeats the mail that its program was started with nor holds the agent for it.',
  ),
  'hook/workflow': only(
    CLI,
    'a hook is a command of the shell, and a turn is known by its variables',
    'In the turn of a workflow’s agent, the hook of another agent shows nothing and holds no one.',
  ),
  'hook/bad-input': everywhere(
    'A hook of a program or for an event that is not known is refused, and shows nothing.',
  ),
  'hook/progress': everywhere(
    'However much mail there is, each hook that holds an agent shows some of it, and in the end lets it stop.',
  ),
  'hook/room': everywhere(
    'A hook shows new mail first, and only the beginning of mail that is too long; the rest stays queued.',
  ),
  'tool-hook/free': everywhere(
    'A use of a tool that no requirement covers gets no verdict, and no one is asked.',
  ),
  'tool-hook/workflow': everywhere(
    'The tools of a workflow need no approval in the turn of its agent; other agents’ uses are asked about.',
  ),
  'tool-hook/approve': everywhere(
    'A use that must be asked about is denied until someone decides, and allowed once exactly that use is approved.',
  ),
  'tool-hook/whole': everywhere(
    'For every tool except a program’s own shell, the description is part of what is approved too.',
  ),
  'tool-hook/once': everywhere(
    'An approval allows one use of a tool by the agent that asked; the next is asked about again.',
  ),
  'tool-hook/permission': everywhere(
    'A program that asks for permission for the use it was just allowed gets it, with no second question.',
  ),
  'tool-hook/no': everywhere(
    'A rejected use is denied with the reason, for an hour; one that is to be changed is denied with the notes.',
  ),
  'tool-hook/wait': atDoors(OF_HOOKS, 'A use that is decided in the meantime goes ahead at once.'),
  'tool-hook/bad-input': everywhere(
    'A use of a tool that cannot be read is denied; a hook for an event that is not known is refused.',
  ),
} satisfies Record<string, Entry>
