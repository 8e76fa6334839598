// How requests are called on the page: statuses, types and risks, each with its sign and its colour.

import {
  Ban,
  CircleCheck,
  CircleX,
  ClockFading,
  FileQuestion,
  GitPullRequest,
  HelpCircle,
  Hourglass,
  type LucideIcon,
  SlidersHorizontal,
  SquareTerminal,
  Undo2,
  Upload,
} from 'lucide-react'
import { isObject, type Json } from '../../core/requests/json.ts'
import type { RequestStatus } from '../../core/requests/request-status.ts'
import type { KnownType } from '../../core/requests/request-types.ts'

export type Hue = 'amber' | 'green' | 'red' | 'violet' | 'teal' | 'grey'

export const STATUSES: Record<RequestStatus, { word: string; icon: LucideIcon; hue: Hue }> = {
  pending: { word: 'Pending', icon: ClockFading, hue: 'amber' },
  revision_requested: { word: 'Revision asked', icon: Undo2, hue: 'violet' },
  approved: { word: 'Approved', icon: CircleCheck, hue: 'green' },
  rejected: { word: 'Rejected', icon: CircleX, hue: 'red' },
  cancelled: { word: 'Cancelled', icon: Ban, hue: 'grey' },
  expired: { word: 'Expired', icon: Hourglass, hue: 'grey' },
}

const TYPES: Record<KnownType, { word: string; icon: LucideIcon }> = {
  config_change: { word: 'Config change', icon: SlidersHorizontal },
  knowledge_upload: { word: 'Knowledge', icon: Upload },
  tool_invocation: { word: 'Tool call', icon: SquareTerminal },
  workspace_review: { word: 'Review', icon: GitPullRequest },
  question: { word: 'Question', icon: HelpCircle },
}

/** A type without a view of its own is called as its requester calls it. */
export function typeOf(type: string): { word: string; icon: LucideIcon } {
  return Object.hasOwn(TYPES, type)
    ? TYPES[type as KnownType]
    : { word: type.replaceAll('_', ' '), icon: FileQuestion }
}

export const RISK_WORDS = {
  low: { word: 'Low', bars: 1, hue: 'grey' },
  medium: { word: 'Medium', bars: 2, hue: 'amber' },
  high: { word: 'High', bars: 3, hue: 'red' },
  critical: { word: 'Critical', bars: 3, hue: 'red' },
} as const satisfies Record<string, { word: string; bars: number; hue: Hue }>

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
