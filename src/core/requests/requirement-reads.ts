// The store's answers about requirements.

import type { Requirement } from './requirement-record.ts'

export interface RequirementReads {
  /** The requirements that hold: of all, or under these names. */
  requirements(holders?: readonly string[]): Promise<Requirement[]>
}
