// A house is an open store plus everything shared by those who work on it, whether a call, a server, a broker or a
// runner. `src/bin/compose.ts` makes it; code that needs less picks the parts with Pick.

import type { Bell } from './bell.ts'
import type { MakeId } from './id.ts'
import type { Folders } from './identity/workspace.ts'
import type { Documents } from './pushes/document.ts'
import type { Store } from './store.ts'
import type { AllowedCommands } from './waking/launch.ts'
import type { InstanceFiles } from './workflows/instance-files.ts'

export type House = Machine & {
  store: Store
  bell: Bell
  /** The commands that the store may start on the machine. */
  allowedCommands: AllowedCommands
}

/** The part that is the same for every store on the machine. */
export type Machine = {
  makeId: MakeId
  /** Computes the digest of a call, which is used to recognize a repeated one. */
  digest: (text: string) => Promise<string>
  folders: Folders
  documents: Documents
  /** The documents of workflow instances, and the folders they're in. */
  instanceFiles: InstanceFiles
  /** How many minutes the machine's local time is ahead of UTC at a given moment. */
  offsetMinutes: (epochMs: number) => number
}
