// How the statuses of work are called on the page, each with its sign and its colour.

import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleX,
  Diamond,
  type LucideIcon,
} from 'lucide-react'
import type { WorkStatus } from '../../../core/threads/work.ts'

export const STATUSES: Record<WorkStatus, { word: string; icon: LucideIcon; hue: string }> = {
  blocked: { word: 'Blocked', icon: Diamond, hue: 'violet' },
  claimed: { word: 'Taken', icon: CirclePlay, hue: 'teal' },
  in_progress: { word: 'In progress', icon: CirclePlay, hue: 'teal' },
  pending: { word: 'Waiting', icon: CircleDashed, hue: 'grey' },
  done: { word: 'Done', icon: CircleCheck, hue: 'green' },
  failed: { word: 'Failed', icon: CircleX, hue: 'red' },
  cancelled: { word: 'Cancelled', icon: Ban, hue: 'grey' },
}

/** A message of each kind as a deed, after the name of whoever wrote it. */
export const DID: Record<string, string> = {
  task: 'asked for this',
  progress: 'reported',
  question: 'asked',
  answer: 'answered',
  result: 'brought the result',
  control: 'wrote',
  event: 'noted',
}
