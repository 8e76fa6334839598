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

export const WORK_STATUSES: Record<WorkStatus, { word: string; icon: LucideIcon; hue: string }> = {
  blocked: { word: 'Blocked', icon: Diamond, hue: 'violet' },
  claimed: { word: 'Claimed', icon: CirclePlay, hue: 'teal' },
  in_progress: { word: 'In progress', icon: CirclePlay, hue: 'teal' },
  pending: { word: 'Waiting', icon: CircleDashed, hue: 'quiet' },
  done: { word: 'Done', icon: CircleCheck, hue: 'green' },
  failed: { word: 'Failed', icon: CircleX, hue: 'red' },
  cancelled: { word: 'Canceled', icon: Ban, hue: 'quiet' },
}

/** A verb for each kind of message, shown after the sender's name. */
export const DID: Record<string, string> = {
  task: 'asked for this',
  progress: 'reported',
  question: 'asked',
  answer: 'answered',
  result: 'sent the result',
  control: 'wrote',
  event: 'noted',
}
