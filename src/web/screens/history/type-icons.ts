import {
  ClipboardCheck,
  ClipboardList,
  CornerDownRight,
  Info,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquare,
  OctagonX,
  SearchCheck,
  SearchCode,
} from 'lucide-react'
import type { MailType } from '../../../core/vocabulary.ts'

/** Without colors: these are kinds, not states. */
export const TYPE_ICONS: Record<MailType, LucideIcon> = {
  'task-assigned': ClipboardList,
  'task-done': ClipboardCheck,
  'review-request': SearchCode,
  'review-result': SearchCheck,
  question: MessageCircleQuestionMark,
  answer: CornerDownRight,
  cancel: OctagonX,
  status: Info,
  custom: MessageSquare,
}
