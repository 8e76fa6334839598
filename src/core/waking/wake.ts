// A wake is one start of an agent's program by the broker: begun, and ended in one of three ways.

import type { Note } from '../note.ts'
import type { RowFrom } from '../shape.ts'
import type { Instant } from '../time.ts'
import type { WAKE_FIELDS } from './wake-record.ts'

export const WAKE_STATES = ['starting', 'running', 'ended', 'failed', 'lost'] as const
export type WakeState = (typeof WAKE_STATES)[number]
/** A workspace event lets an agent run go on, whose review was decided. */
export const WAKE_CAUSES = ['mail', 'timer', 'workspace_event'] as const
export type WakeCause = (typeof WAKE_CAUSES)[number]

export type Wake = RowFrom<typeof WAKE_FIELDS>

/** A wake runs, and is believed to until then. */
export const WAKE_LEASE: Note<{ wake_id: string; expires_at: Instant }> = { query: 'wake_keep' }
