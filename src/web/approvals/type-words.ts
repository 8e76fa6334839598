// The types of requests as words with a sign. The inbox has them too, so they stand apart from what only requests need.

import {
  FileQuestion,
  GitPullRequest,
  HelpCircle,
  type LucideIcon,
  SlidersHorizontal,
  SquareTerminal,
  Upload,
} from 'lucide-react'
import type { KnownType } from '../../core/requests/request-types.ts'

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
