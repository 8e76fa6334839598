// The acts of agents on a workflow's documents, with the scene each needs; acts.ts takes them in. The file and its revision
// are changed together: a killed writer leaves both, or the next one undoes the file.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { begin, besideDoor } from '../worlds/instances.ts'
import type { TestStore } from '../worlds/store.ts'
import type { Act } from './acts.ts'

const CODER = 'coder@pr-1'

/** A team with a folder of its own, and a document that nobody wrote by way of the program. */
async function withFolder(store: TestStore): Promise<string> {
  const dir = join(realpathSync.native(store.folder), 'pr-1')
  mkdirSync(dir)
  writeFileSync(join(dir, 'old.md'), 'from before\n')
  await besideDoor(store, (room) => begin(room, { dir }))
  return dir
}

function act(op: string, adds: number, input: object): Act {
  return {
    op,
    adds,
    keyed: true,
    scene: async (store) => {
      await withFolder(store)
      return { agent: CODER, ...input }
    },
  }
}

export const DOCUMENT_ACTS: Record<string, Act> = {
  'write a document': act('workflowContextDocWrite', 1, { content: 'new' }),
  // The text from before is a revision too.
  'write over a document': act('workflowContextDocWrite', 2, { file: 'old.md', content: 'new' }),
  'append to a document': act('workflowContextDocAppend', 2, { file: 'old.md', content: 'more\n' }),
  'create a document': act('workflowContextDocCreate', 1, { file: 'a/new.md', content: 'new' }),
  'delete a document': act('workflowContextDocDelete', 2, { file: 'old.md' }),
}
