// Agents' writes to workflow documents, each with its setup; part of ACTS in acts.ts. A write changes the file and its
// revision together. If the writer is killed between the two, the next writer restores the file.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { begin, besideDoor } from '../worlds/instances.ts'
import type { TestStore } from '../worlds/store.ts'
import type { Act } from './acts.ts'

const CODER = 'coder@pr-1'

/** A team with its own folder, and a document that was written without Mailroom. */
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
  // The earlier content becomes a revision too.
  'write over a document': act('workflowContextDocWrite', 2, { file: 'old.md', content: 'new' }),
  'append to a document': act('workflowContextDocAppend', 2, { file: 'old.md', content: 'more\n' }),
  'create a document': act('workflowContextDocCreate', 1, { file: 'a/new.md', content: 'new' }),
  'delete a document': act('workflowContextDocDelete', 2, { file: 'old.md' }),
}
