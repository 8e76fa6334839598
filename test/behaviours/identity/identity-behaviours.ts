// The sentences about workspaces, tokens and authentication, part of the manifest in test/behaviours.ts.

import { atDoors, type Entry, everywhere, FLAGS } from '../../entry.ts'

export const IDENTITY_ENTRIES = {
  'workspace/add': everywhere(
    'A folder is registered by its real path, labeled by its name, with a default agent.',
  ),
  'workspace/again': atDoors(
    FLAGS,
    'Adding a folder again changes only the given fields and creates no second workspace.',
  ),
  'workspace/at-once': everywhere('Adding one folder many times at once creates one workspace.'),
  'workspace/names': everywhere(
    'A label that is taken is refused; one made from the folder gets a number, as the agent does.',
  ),
  'workspace/default-agent': everywhere('A workspace may be given an agent; it is then known.'),
  'workspace/rename': everywhere('A workspace takes another label and keeps its id and folder.'),
  'workspace/remove': everywhere(
    'A removed workspace is kept as removed, is listed only on request, and no longer changes.',
  ),
  'workspace/back': everywhere('A folder that is added again after its removal has its id again.'),
  'workspace/bad-input': everywhere(
    'A path that is not a folder, the root of the file system, or a person as default agent is refused.',
  ),

  'token/issue': atDoors(
    FLAGS,
    'A token is for an agent, a person or a service, and is shown once.',
  ),
  'token/kept-nowhere': everywhere('No table and no export holds a token that was shown.'),
  'token/retry': everywhere(
    'A retry of an issue says what was issued, and does not show the token again.',
  ),
  'token/scope': everywhere(
    'A token for a workspace is for its default agent unless a name is given, and may have sets.',
  ),
  'token/list': everywhere('Tokens are listed while they are good, the latest first; or all.'),
  'token/revoke': everywhere('A token is revoked by its id or its own text, once and permanently.'),
  'token/bad-input': everywhere(
    'A token for no one, for an unknown person, or for a workspace that is gone is refused.',
  ),
  'token/with-workspace': everywhere(
    'A workspace’s tokens are removed with it, and do not come back.',
  ),
  'token/prune': everywhere(
    'prune removes tokens that ended a month ago, and what is left still replays.',
  ),
  'sign-in/code': atDoors(
    FLAGS,
    'sign-in makes a code for one person, good for ten minutes, as a link too.',
  ),
  'sign-in/bad-input': everywhere('sign-in of an unknown person, or to no address, is refused.'),

  'sign-in/retry': everywhere(
    'A retry of sign-in says who signs in and until when, and does not show the code again.',
  ),

  'identity/key': everywhere(
    'A change to workspaces or tokens happens once per key; a retry returns the first answer.',
  ),
  'identity/log': everywhere(
    'Workspaces and tokens are in the log and survive export and import unchanged.',
  ),
  'identity/bad-lines': everywhere(
    'A line of the log that no token or workspace could have caused is set aside.',
  ),
} satisfies Record<string, Entry>
