// The broker's part in effects: it starts a supervisor for each that waits, and ends those over which nobody watches any
// more. It keeps no state that matters, so any number of brokers may run on one store.

import {
  EFFECT_HELD,
  EFFECT_LOST,
  effectName,
  isLost,
  LOST_END,
  NO_COMMAND,
} from '../core/requests/effect.ts'
import { EFFECT_COMMANDS } from '../core/requests/effect-command-record.ts'
import { EFFECTS } from '../core/requests/effect-record.ts'
import type { OpenEffect } from '../core/requests/request-reads.ts'
import type { Store } from '../core/store.ts'
import { epochMs, type Instant } from '../core/time.ts'
import type { AllowedCommands, Launcher, Surroundings } from '../core/waking/launch.ts'
import { endEffectIf } from './effect.ts'

export type EffectLine = {
  did: 'effect'
  request_id: string
  request_type: string
  came: 'started' | 'held' | 'failed' | 'unknown'
  why?: string
}

type EffectsContext = {
  store: Store
  allowedCommands: AllowedCommands
  launcher: Launcher
  around: Surroundings
  tell: (line: EffectLine) => void
}

const OPEN_LIMIT = 1000
/** The most programs at once, so that many approvals at a time do not take the whole machine. */
const MOST_RUNNING = 4
/** How soon an effect is looked at again whose supervisor has not begun, or whose command is held. */
const AGAIN_MS = 2000
/** A lease that has just lapsed is looked at no more often than this. */
const SOON_MS = 50

export function makeEffects({ store, allowedCommands, launcher, around, tell }: EffectsContext) {
  /** For each request that waits when to look at it again, by this process's own clock. */
  const again = new Map<string, { at: number; isBeginning: boolean }>()
  /** For each request what was last said of it. */
  const told = new Map<string, string>()
  /** The effects that this broker began, until it has heard how they ended. */
  const begun = new Map<string, OpenEffect>()
  let nextMs: number | null = null

  const say = (effect: OpenEffect, came: EffectLine['came'], why?: string) => {
    const { thread_id: request_id, request_type, attempt } = effect
    const news = `${attempt} ${came}`
    if (told.get(request_id) === news) return
    told.set(request_id, news)
    tell({ did: 'effect', request_id, request_type, came, ...(why === undefined ? {} : { why }) })
  }

  const endLost = async (effect: OpenEffect) => {
    if (await endEffectIf(store, effect.thread_id, isLost, LOST_END)) {
      say(effect, 'unknown', EFFECT_LOST)
    }
  }

  /** The supervisor records in the log how it ended. A failure is passed on to the reader of the broker's lines. */
  const hearHowTheyEnded = async (open: ReadonlySet<string>) => {
    for (const [id, effect] of begun) {
      if (open.has(id)) continue
      begun.delete(id)
      const ended = await store.rowOf(EFFECTS, id)
      if (ended?.state === 'failed') say(effect, 'failed', ended.reason)
    }
  }

  /** Whether a supervisor was started for it. */
  const begin = async (effect: OpenEffect): Promise<boolean> => {
    const { thread_id: request_id, request_type } = effect
    const command = await store.rowOf(EFFECT_COMMANDS, request_type)
    const isThere = command !== null && command.removed_at === null
    if (isThere && !(await allowedCommands.includes(effectName(request_type), command.run))) {
      say(effect, 'held', EFFECT_HELD)
      return false
    }
    try {
      // Where the command is gone, the supervisor says so in the log.
      await launcher.supervise({ request_id }, around)
      if (isThere) {
        begun.set(request_id, effect)
        say(effect, 'started')
      } else say(effect, 'failed', NO_COMMAND)
      return true
    } catch (error) {
      say(effect, 'failed', `its supervisor cannot be started: ${(error as Error).message}`)
      return false
    }
  }

  return {
    async look(now: Instant): Promise<void> {
      const open = await store.openEffects(OPEN_LIMIT)
      const ids = new Set(open.map(({ thread_id }) => thread_id))
      await hearHowTheyEnded(ids)
      for (const memory of [again, told]) {
        for (const id of memory.keys()) if (!ids.has(id)) memory.delete(id)
      }
      const running = open.filter(({ state }) => state === 'running')
      let places = MOST_RUNNING - running.length
      nextMs = null
      const soon = (ms: number) => {
        nextMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, ms)
      }
      for (const effect of running) {
        const left = epochMs(effect.expires_at ?? now) - epochMs(now)
        if (left <= 0) await endLost(effect)
        else soon(Math.max(SOON_MS, left))
      }
      const waiting = open.filter(({ state }) => state === 'waiting')
      for (const effect of waiting) {
        const { at = 0, isBeginning = false } = again.get(effect.thread_id) ?? {}
        const left = at - performance.now()
        if (left > 0) {
          soon(left)
          if (isBeginning) places -= 1
        } else if (places > 0) {
          const hasBegun = await begin(effect)
          again.set(effect.thread_id, { at: performance.now() + AGAIN_MS, isBeginning: hasBegun })
          soon(AGAIN_MS)
          if (hasBegun) places -= 1
        }
        // Where no place is left, an effect that ends makes one, and rings.
      }
    },
    nextMs: (): number | null => nextMs,
  }
}
