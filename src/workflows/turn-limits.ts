// The numbers that bound a run, and the wake settings that follow from an agent's plan.

import type { WakeSettings } from '../core/agents/agent.ts'
import type { Instant } from '../core/time.ts'
import { MAIL_TYPES } from '../core/vocabulary.ts'
import type { InstanceMode } from '../core/workflows/instance.ts'
import type { AgentPlan } from './plan.ts'

/** The most turns of one agent in a run, or in an hour of an instance that goes on, if its plan does not say. */
const TURNS_OF_AGENT = 100
/** The most turns of all agents in a run. */
export const TURNS_IN_ALL = 500
/** A run counts its turns itself, so that it can say why it ends; the broker's own budget is out of its way. */
const NO_BUDGET = 3600

/** Mentions are custom. A status is for looking at, and a cancel is a word to stop. */
const WAKING = MAIL_TYPES.filter((type) => type !== 'status' && type !== 'cancel')

export function turnsOf({ max_turns }: Pick<AgentPlan, 'max_turns'>): number {
  return max_turns ?? TURNS_OF_AGENT
}

export function wakeSettingsOf(
  agent: AgentPlan,
  { command, cwd, mode, now }: { command: string[]; cwd: string; mode: InstanceMode; now: Instant },
): WakeSettings {
  const { timeout_seconds, hops, wakeup } = agent
  return {
    command,
    cwd,
    types: [...WAKING],
    ...(wakeup === undefined ? {} : { ...wakeup, timer_since: now }),
    ...(mode === 'run'
      ? { budget_per_hour: NO_BUDGET, max_turns: turnsOf(agent) }
      : { budget_per_hour: Math.min(turnsOf(agent), NO_BUDGET) }),
    ...(hops === undefined ? {} : { hop_limit: hops }),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    // The agent works in turns alone, so a call by its name shows nothing about the next one.
    after_seconds: 0,
  }
}
