// The edits to existing files for a demo subject and a demo operation: `add` is inserted after the unique `after`.

export type FileEdit = { file: string; after: string; add: string }

export const SUBJECT_EDITS: FileEdit[] = [
  // The subject's layer in each room where it has files.
  { file: 'scripts/rooms.ts', after: '\nconst CORE_LAYERS = [\n', add: "  ['bookmarks'],\n" },
  { file: 'scripts/rooms.ts', after: "    ['kit'],\n", add: "    ['bookmarks'],\n" },
  {
    file: 'src/core/records.ts',
    after: "from './agents/settings-record.ts'\n",
    add: "import { BOOKMARKS } from './bookmarks/bookmark-record.ts'\n",
  },
  { file: 'src/core/records.ts', after: '\n  tokens: TOKENS,\n', add: '  bookmarks: BOOKMARKS,\n' },
  {
    file: 'src/core/store.ts',
    after: "from './agents/agent-reads.ts'\n",
    add: "import type { BookmarkReads } from './bookmarks/bookmark-reads.ts'\n",
  },
  { file: 'src/core/store.ts', after: '\n    AgentReads,\n', add: '    BookmarkReads,\n' },
  {
    file: 'src/store/reads.ts',
    after: "from './agents/agent-reads.ts'\n",
    add: "import { makeBookmarkReads } from './bookmarks/bookmark-reads.ts'\n",
  },
  {
    file: 'src/store/reads.ts',
    after: '...makeAgentReads(querier),\n',
    add: '    ...makeBookmarkReads(querier),\n',
  },
  {
    file: 'src/ops/catalogue.ts',
    after: '\n  People: {\n',
    add: `    'bookmark add': async () => (await import('./bookmarks/bookmark-add.ts')).bookmarkAdd,
    'bookmark list': async () => (await import('./bookmarks/bookmark-list.ts')).bookmarkList,\n`,
  },
  {
    file: 'src/ops/inbox/event-types.test.ts',
    after: "  workspace_add: 'none',\n",
    add: "  bookmark_add: 'none',\n",
  },
  {
    file: 'test/behaviours.ts',
    after: "from './behaviours/agents/settings-behaviours.ts'\n",
    add: "import { BOOKMARK_ENTRIES } from './behaviours/bookmarks/bookmark-behaviours.ts'\n",
  },
  { file: 'test/behaviours.ts', after: '  ...DESK_ENTRIES,\n', add: '  ...BOOKMARK_ENTRIES,\n' },
  {
    file: 'test/at-doors.ts',
    after: "  init: { success: 'init/repeatable', refusal: ONLY_WORDS },\n",
    add: `  'bookmark add': {
    success: 'bookmark/add',
    refusal: 'bookmark/taken',
    retry: 'bookmark/key',
  },
  'bookmark list': {
    success: 'bookmark/add',
    refusal: ONLY_WORDS,
    empty: 'bookmark/add',
  },\n`,
  },
]

export const OPERATION_EDITS: FileEdit[] = [
  {
    file: 'src/ops/catalogue.ts',
    after:
      "    'workspace list': async () => (await import('./identity/workspace-list.ts')).workspaceList,\n",
    add: "    'workspace show': async () => (await import('./identity/workspace-show.ts')).workspaceShow,\n",
  },
  {
    file: 'test/behaviours/identity/identity-behaviours.ts',
    after: 'export const IDENTITY_ENTRIES = {\n',
    add: "  'workspace/show': everywhere('A workspace is shown by its id, and one that is not there is not found.'),\n",
  },
  {
    file: 'test/at-doors.ts',
    after: "  init: { success: 'init/repeatable', refusal: ONLY_WORDS },\n",
    add: "  'workspace show': { success: 'workspace/show', refusal: 'workspace/show' },\n",
  },
]
