// Requirements, as people see them.

import type { Page } from '../kit/drawing/page.ts'
import { type Cell, relative, table } from '../kit/drawing/text.ts'
import type { Policies } from './agent-policies.ts'

export function drawPolicies({ requirements }: Policies, { ink, now, terminal }: Page): string {
  if (requirements.length === 0) return 'no agent must ask for anything\n'
  const rows = requirements.map(({ applies_to, requires, added_by, added_at }): Cell[] => [
    { text: applies_to },
    { text: requires, ink: ink.cyan },
    { text: added_by },
    { text: relative(added_at, now), ink: ink.dim },
  ])
  return table(rows, terminal.columns)
}
