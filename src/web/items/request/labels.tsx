// How the page shows the type and the risk of a request. The inbox loads these too, so they don't import the rest of the
// request view.

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
import type { Hue } from '../status/request-status.tsx'

export const RISK_WORDS = {
  low: { word: 'Low', bars: 1, hue: 'quiet' },
  medium: { word: 'Medium', bars: 2, hue: 'amber' },
  high: { word: 'High', bars: 3, hue: 'red' },
  critical: { word: 'Critical', bars: 3, hue: 'red' },
} as const satisfies Record<string, { word: string; bars: number; hue: Hue }>

export function Risk({ level, suffix = '' }: { level: string; suffix?: string }) {
  if (!Object.hasOwn(RISK_WORDS, level))
    return <span className="inline-row gap-3 nowrap quiet">{level}</span>
  const { word, bars, hue } = RISK_WORDS[level as keyof typeof RISK_WORDS]
  return (
    <span className={`inline-row gap-3 nowrap ${hue}`}>
      <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
        {[0, 1, 2].map((at) => (
          <rect
            key={at}
            x={at * 5}
            y={8 - at * 4}
            width="4"
            height={4 + at * 4}
            rx="0.5"
            fill={at < bars ? 'currentColor' : 'var(--line-2)'}
          />
        ))}
      </svg>
      {word}
      {suffix}
    </span>
  )
}

const TYPES: Record<KnownType, { word: string; icon: LucideIcon }> = {
  config_change: { word: 'Config change', icon: SlidersHorizontal },
  knowledge_upload: { word: 'Knowledge', icon: Upload },
  tool_invocation: { word: 'Tool call', icon: SquareTerminal },
  workspace_review: { word: 'Review', icon: GitPullRequest },
  question: { word: 'Question', icon: HelpCircle },
}

/** Unknown types keep the name that the requester gave them, capitalized. */
export function typeOf(type: string): { word: string; icon: LucideIcon } {
  if (Object.hasOwn(TYPES, type)) return TYPES[type as KnownType]
  const word = type.slice(0, 1).toUpperCase() + type.slice(1).replaceAll('_', ' ')
  return { word, icon: FileQuestion }
}
