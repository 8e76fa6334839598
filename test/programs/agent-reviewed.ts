// An agent whose review was decided. It reads the decision on stdin. If changes were requested, it resubmits the review
// with the notes included; if the review was approved, it ends its run.

import { execFileSync } from 'node:child_process'
import { noteTurn } from './agent-notes.ts'

type Told = {
  id: string
  thread_id: string
  metadata: { decision?: string; agent_run_id?: string; responseMarkdown?: string }
}

const [folder = '', inbox = '', db = ''] = process.argv.slice(2)
const text = await new Response(Bun.stdin.stream()).text()
const mail = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Told)

for (const { thread_id, metadata } of mail) {
  const { decision, agent_run_id = '', responseMarkdown: notes = '' } = metadata
  if (decision === 'request_revision') {
    const payload = JSON.stringify({ body: `Now ${notes}`, target_path: 'docs', changes: [] })
    call('resubmit', thread_id, '--revision=1', `--payload=${payload}`)
  }
  if (decision === 'approve') call('agent', 'end-run', agent_run_id)
}
noteTurn(folder, { mail: mail.map(({ id }) => id) })

function call(...words: string[]): void {
  execFileSync(inbox, [...words, `--db=${db}`, '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
