// The agents of the demo: a small team's. Each has a program, a folder and a part.

import { join } from 'node:path'
import { type Actor, type ActorOrigin, actor, type Stage } from './stage.ts'

export type Name = 'harbor' | 'ledger' | 'mica' | 'quill' | 'sable' | 'wren'
export type Label = 'billing' | 'search' | 'docs-site' | 'checkout-web'

type Part = { role: string; backend: string; session: string; label: Label }

const PARTS: Record<Name, Part> = {
  harbor: { role: 'release', backend: 'claude', session: '6f1c2a90-demo', label: 'billing' },
  ledger: { role: 'billing', backend: 'codex', session: 'b71e04d3-demo', label: 'billing' },
  mica: { role: 'data', backend: 'claude', session: '0c9d7e52-demo', label: 'search' },
  quill: { role: 'docs', backend: 'gemini', session: 'e4a83b16-demo', label: 'docs-site' },
  sable: { role: 'tests', backend: 'cursor', session: '95d2f7c8-demo', label: 'checkout-web' },
  wren: { role: 'support', backend: 'opencode', session: '37b0c6e1-demo', label: 'docs-site' },
}

/** Programs that are never started: stand-ins play their parts (programs.ts). */
export const APPLY = ['apply-settings', '--from-approval'] as const
export const PUBLISH = ['publish-answers', '--to', 'support'] as const
export const WAKE_WREN = ['opencode', 'run', 'Read your mail and answer it'] as const

const NAMES = Object.keys(PARTS) as Name[]
const LABELS: Label[] = ['billing', 'search', 'docs-site', 'checkout-web']

export type Cast = Record<Name | 'user', Actor> & {
  workspaces: Record<Label, string>
  folders: Record<Label, string>
}

export async function makeCast(stage: Stage): Promise<Cast> {
  const folders = Object.fromEntries(
    LABELS.map((label) => [label, join(stage.folder, label)]),
  ) as Record<Label, string>
  const user = actor(stage, 'user')
  const actors = Object.fromEntries(
    NAMES.map((name) => {
      const { backend, session, label } = PARTS[name]
      const origin: ActorOrigin = { backend, session, folder: folders[label] }
      return [name, actor(stage, name, origin)]
    }),
  ) as Record<Name, Actor>
  for (const name of NAMES) {
    const { role, backend: source } = PARTS[name]
    await actors[name]('agent register', {
      ...{ role, source, may_write_to_user: true, paired_person: 'user' },
    })
  }
  const workspaces = {} as Record<Label, string>
  for (const label of LABELS) {
    const default_agent = NAMES.find((name) => PARTS[name].label === label) ?? 'harbor'
    const { workspace } = await user('workspace add', {
      path: folders[label],
      label,
      default_agent,
    })
    workspaces[label] = workspace.workspace_id
  }
  await actors.wren('agent register', {
    wake_command: JSON.stringify(WAKE_WREN),
    wake_cwd: folders['docs-site'],
  })
  await user('request effect', { type: 'config_change', command: JSON.stringify(APPLY) })
  await user('request effect', { type: 'knowledge_upload', command: JSON.stringify(PUBLISH) })
  await user('agent policy', {
    applies_to: 'harbor',
    requires: ['tool:Bash(rm *)', 'tool:Bash(git push --force*)', 'vendor_payment'],
  })
  await user('agent policy', { applies_to: 'role:billing', requires: ['config_change'] })
  return { user, ...actors, workspaces, folders }
}
