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
import type { KnownType } from '../../../core/requests/request-types.ts'

const TYPES: Record<KnownType, { word: string; icon: LucideIcon }> = {
  config_change: { word: 'Config change', icon: SlidersHorizontal },
  knowledge_upload: { word: 'Knowledge', icon: Upload },
  tool_invocation: { word: 'Tool call', icon: SquareTerminal },
  workspace_review: { word: 'Review', icon: GitPullRequest },
  question: { word: 'Question', icon: HelpCircle },
}

/** A type without a view of its own is called as its requester calls it, with a capital letter as the others. */
export function typeOf(type: string): { word: string; icon: LucideIcon } {
  if (Object.hasOwn(TYPES, type)) return TYPES[type as KnownType]
  const word = type.slice(0, 1).toUpperCase() + type.slice(1).replaceAll('_', ' ')
  return { word, icon: FileQuestion }
}
