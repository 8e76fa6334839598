// Agent runs, as people see them. What somebody wrote stands after a bar, as in mail.

import type { AgentRunStatus } from '../../core/requests/agent-run-status.ts'
import { goOn, idIn, type Page } from '../kit/drawing/page.ts'
import { type Cell, type Ink, oneLine, type Palette, relative, table } from '../kit/drawing/text.ts'
import type { AgentRunList } from './agent-runs.ts'

export function drawRuns({ agent_runs, next_before }: AgentRunList, page: Page): string {
  if (agent_runs.length === 0) return 'no agent runs\n'
  const { ink, now, terminal } = page
  const rows = agent_runs.map((run): Cell[] => [
    { text: idIn(run.agent_run_id, page) },
    { text: run.agent_id },
    { text: run.status, ink: statusInk(run.status, ink) },
    { text: run.review_status },
    { text: relative(run.updated_at, now), ink: ink.dim },
    { text: run.warning === '' ? '' : 'unrouted', ink: ink.yellow },
    { text: run.request_id === '' ? 'no request' : idIn(run.request_id, page) },
    { text: oneLine(run.review_id) },
    { text: run.response_markdown === '' ? '' : `| ${oneLine(run.response_markdown)}` },
  ])
  return `${table(rows, terminal.columns)}${goOn(page, 'before', next_before)}`
}

function statusInk(status: AgentRunStatus, ink: Palette): Ink {
  const inks = { running: ink.green, paused: ink.yellow, cancelled: ink.red, ended: ink.dim }
  return inks[status]
}
