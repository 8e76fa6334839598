// Generated pages that are checked in, each with the function that generates it.

import { workflowSchema } from '../src/workflows/schema.ts'
import { helpTranscript } from './help-transcript.ts'
import { httpPage } from './http-reference.ts'
import { manPage } from './man-page.ts'
import { commandsPage, refusalsPage, specPage } from './reference.ts'
import { toolsPage } from './reference-mcp.ts'

export const PAGES: Record<string, () => string | Promise<string>> = {
  'docs/reference/inbox.md': () => commandsPage('inbox'),
  'docs/reference/agent-worker.md': () => commandsPage('agent-worker'),
  'docs/reference/mcp.md': toolsPage,
  'docs/reference/http.md': httpPage,
  'docs/reference/workflow.schema.json': () => `${JSON.stringify(workflowSchema(), null, 2)}\n`,
  'docs/refusals.md': refusalsPage,
  'docs/man/inbox.1': () => manPage('inbox'),
  'docs/man/agent-worker.1': () => manPage('agent-worker'),
  'docs/transcripts/help.txt': helpTranscript,
  'SPEC.md': specPage,
}
