// Requirements, read alike on both engines.

import type { RequirementReads } from '../../core/requests/requirement-reads.ts'
import type { Requirement } from '../../core/requests/requirement-record.ts'
import type { Querier } from '../querier.ts'

export function makeRequirementReads(querier: Querier): RequirementReads {
  return {
    requirements: (holders) => querier.all<Requirement>('requirements_all', { holders }),
  }
}
