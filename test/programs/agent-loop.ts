// Agents that act as a small team, with a new process for each turn. The orchestrator hands out work, has it reviewed
// and reports to the person; the builder builds; the reviewer asks for one change before approving. They know only
// their mail, and talk through the built program.

import { spawnSync } from 'node:child_process'

type Mail = {
  id: string
  type: string
  from: string
  body: string
  metadata: { verdict?: string; context?: string }
}

const [program = '', role = ''] = process.argv.slice(2)

const DUTIES: Record<string, (mail: Mail) => void> = {
  orchestrator({ type, from, body, metadata }) {
    if (from === 'user') send('role:builder', 'task-assigned', body, { context: 'from the person' })
    if (type === 'task-done') {
      send('role:reviewer', 'review-request', body, { files: ['login.ts'], criteria: 'it works' })
    }
    if (type !== 'review-result') return
    if (metadata.verdict === 'approved') send('user', 'status', `done: ${body}`, {})
    else send('role:builder', 'task-assigned', `again: ${body}`, { context: 'from the review' })
  },
  builder({ id, type, body }) {
    if (type !== 'task-assigned') return
    const done = { files_changed: ['login.ts'], tests: '3 passed' }
    send('orchestrator', 'task-done', body, done, id)
  },
  reviewer({ id, type, body }) {
    if (type !== 'review-request') return
    const verdict = body.startsWith('again') ? 'approved' : 'changes-requested'
    send('orchestrator', 'review-result', body, { verdict, comments: '' }, id)
  },
}

const mail = (await new Response(Bun.stdin.stream()).text())
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Mail)
for (const one of mail) {
  DUTIES[role]?.(one)
  inbox('mail', 'mark-read', one.id)
}

function send(to: string, type: string, body: string, metadata: object, answers?: string): void {
  const reply = answers === undefined ? [] : ['--in-reply-to', answers]
  const words = ['--type', type, '--body', body, '--metadata', JSON.stringify(metadata), ...reply]
  inbox('mail', 'send', '--to', to, ...words)
}

/** The broker sets the agent's name and its store in the environment. */
function inbox(...words: string[]): void {
  const ran = spawnSync(program, [...words, '--json'], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`inbox ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
}
