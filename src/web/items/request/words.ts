// How the page describes requests: what they ask for and what happened to them.

import { isObject, type Json } from '../../../core/json.ts'

/** The sentence that begins with the name of whoever asks. */
export function askingFor(type: string, payload: Json): string {
  const { target, tool, destination, files, target_path: path } = isObject(payload) ? payload : {}
  if (type === 'config_change') return `asks to change ${String(target)}`
  if (type === 'tool_invocation') return `asks to run ${String(tool)}`
  if (type === 'knowledge_upload') {
    const count = Array.isArray(files) ? files.length : 0
    return `asks to add ${count === 1 ? '1 file' : `${count} files`} to ${String(destination)}`
  }
  if (type !== 'workspace_review') return 'asks'
  const about = typeof path === 'string' && path !== '' ? ` of ${path}` : ''
  return `paused and asks for a review${about}`
}

/** The title of a review says so when nobody is responsible for its agent. */
export function isUnrouted(type: string, title: string): boolean {
  return type === 'workspace_review' && title.startsWith('Workspace review (unrouted): ')
}

/** The words of the timeline, after the name of whoever did it. */
export const ACTIONS: Record<string, string> = {
  create: 'asked',
  resubmit: 'submitted again',
  approve: 'approved',
  reject: 'rejected',
  revise: 'asked for a revision',
  cancel: 'cancelled',
  expire: 'let it expire',
  comment: 'commented',
  hold: 'decided',
  hold_approve: 'decided to approve',
  hold_reject: 'decided to reject',
  hold_request_revision: 'decided to ask for a revision',
  undo: 'took the decision back',
  link: 'linked a thread',
  unlink: 'removed a link',
  remind: 'reminded',
  escalate: 'passed it on',
  use: 'used the approval',
  effect_queue: 'set off its effect',
  effect_start: 'started the effect',
  effect_end: 'saw the effect end',
}
