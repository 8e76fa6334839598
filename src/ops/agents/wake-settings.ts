// Applies a call's changes to the wake settings. Only the given fields change, and the value none clears a field.

import type { WakeSettings } from '../../core/agents/agent.ts'
import { field, quote, refuse } from '../../core/error.ts'
import type { Instant } from '../../core/time.ts'
import { type KindWord, MAIL_WORDS, type MailType, typesShownAs } from '../../core/vocabulary.ts'
import { choices, type Input, int, json, path, powers, takesBack, text } from '../kit/field.ts'
import type { Context } from '../kit/operation.ts'

const MOST_WORDS = 100
const YEAR = 31_536_000

/** A caller that sets these decides which programs run on the owner's machine. */
export const WAKE_FIELDS = powers({
  wake_command: takesBack(
    json(
      'the program that wakes it and its arguments, as a JSON list such as ["claude","-p","Read your mail"]; [] for none',
      { isCommand: true, max: 16_384 },
    ),
  ),
  wake_cwd: takesBack(path('the folder it is started in')),
  wake_types: takesBack(choices(MAIL_WORDS, 'the mail that wakes it', { leftOut: 'by its role' })),
  wake_every_seconds: takesBack(
    int('also wake it at this interval; 0 turns that off', { max: YEAR }),
  ),
  wake_cron: takesBack(
    text('also wake it at these times: minute hour day month weekday', { max: 200 }),
  ),
  wake_quiet: takesBack(text('hours when it is not woken, such as 22-7', { max: 5 })),
  wake_budget_per_hour: takesBack(int('the most wakes in an hour', { min: 1, max: 3600 })),
  wake_hop_limit: takesBack(
    int('the most wakes in a row without a message from a person', { min: 1, max: 1000 }),
  ),
  wake_timeout_seconds: takesBack(
    int('end a wake that takes longer than this', { min: 1, max: 86_400 }),
  ),
  wake_after_seconds: takesBack(
    int('assume it is there for this long after its own calls, and do not start it', {
      max: 86_400,
      leftOut: '60',
    }),
  ),
})

export type WakeInput = Input<typeof WAKE_FIELDS>

/** Checks that involve several fields; they run before a store is touched. */
export function checkWake(input: WakeInput): void {
  if (isGiven(input.wake_command)) commandOf(input.wake_command)
  if (isGiven(input.wake_quiet)) quietOf(input.wake_quiet)
  if (isGiven(input.wake_types)) typesOf(input.wake_types)
  if (isGiven(input.wake_cwd)) mustBeFullPath(input.wake_cwd, 'wake_cwd')
  if (isGiven(input.wake_cron)) mustBeCron(input.wake_cron)
  if (isGiven(input.wake_cron) && (input.wake_every_seconds ?? 0) > 0)
    throw refuse.invalid_input`${field('wake_cron')} and ${field('wake_every_seconds')} cannot be combined`
}

export function changedWake(before: WakeSettings, input: WakeInput, now: Instant): WakeSettings {
  const wake: WakeSettings = { ...before }
  const set = <K extends keyof WakeSettings>(
    name: K,
    value: NonNullable<WakeSettings[K]> | null | undefined,
  ) => {
    if (value === null) delete wake[name]
    else if (value !== undefined) wake[name] = value
  }
  const command = isGiven(input.wake_command) ? commandOf(input.wake_command) : input.wake_command
  set('command', command?.length === 0 ? null : command)
  set('cwd', input.wake_cwd)
  set('types', isGiven(input.wake_types) ? typesOf(input.wake_types) : input.wake_types)
  set('every_seconds', input.wake_every_seconds === 0 ? null : input.wake_every_seconds)
  set('cron', input.wake_cron)
  // There is one timer: setting one kind ends the other.
  if (input.wake_every_seconds) set('cron', null)
  if (input.wake_cron) set('every_seconds', null)
  delete wake.timer_since
  if (wake.every_seconds !== undefined || wake.cron !== undefined) {
    const isSame = wake.every_seconds === before.every_seconds && wake.cron === before.cron
    wake.timer_since = isSame ? (before.timer_since ?? now) : now
  }
  set('quiet', isGiven(input.wake_quiet) ? quietOf(input.wake_quiet) : input.wake_quiet)
  set('budget_per_hour', input.wake_budget_per_hour)
  set('hop_limit', input.wake_hop_limit)
  set('timeout_seconds', input.wake_timeout_seconds)
  set('after_seconds', input.wake_after_seconds)
  return wake
}

export function mustBeFullPath(path: string, name: string): void {
  if (/^(\/|[A-Za-z]:[\\/])/.test(path)) return
  throw refuse.invalid_input`${field(name)} ${quote(path)} is relative, but the broker may run anywhere; give the full path`
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}

/** Progress is only informational and never wakes an agent, so it's refused here. */
function typesOf(words: readonly KindWord[]): MailType[] {
  const idle = words.find((word) => ['status', 'progress'].includes(word))
  if (idle === undefined) return typesShownAs(words)
  throw refuse.invalid_input`${field('wake_types')} ${idle} never wakes anyone; leave it out, or reset the setting with ${field('wake_types')} none`
}

export function commandOf(words: string, name = 'wake_command'): string[] {
  const command: unknown = JSON.parse(words)
  const isList =
    Array.isArray(command) &&
    command.length <= MOST_WORDS &&
    command.every((word) => typeof word === 'string') &&
    command[0] !== ''
  if (isList) return command
  throw refuse.invalid_input`${field(name)} ${quote(words)} is not a JSON list of strings, such as ["my-agent","--resume"]`
}

function quietOf(words: string): [number, number] {
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(words) ?? []
  const hours: [number, number] = [Number(from), Number(until)]
  if (hours.every((hour) => hour >= 0 && hour <= 24) && hours[0] !== hours[1]) return hours
  throw refuse.invalid_input`${field('wake_quiet')} ${quote(words)} is not two hours of the day, such as 22-7`
}

function mustBeCron(line: string): void {
  if (/^[\d*/,-]+( [\d*/,-]+){4}$/.test(line)) return
  throw refuse.invalid_input`${field('wake_cron')} ${quote(line)} is not five fields (minute hour day month weekday), such as "*/30 9-17 * * 1-5"`
}

export type WakeChange = { before: WakeSettings; after: WakeSettings }

/**
 * Allows a command set in the shell, in the library or through the socket, because its caller can run programs on this
 * machine anyway. A token works from anywhere, so it can't allow one. If the command or the folder is left unchanged,
 * that part may have been set elsewhere, so the previous pair must already be allowed.
 */
export async function allowIfSetHere(
  { allowedCommands, caller: { principal } }: Pick<Context, 'allowedCommands' | 'caller'>,
  input: { agent: string; wake_command?: unknown; wake_cwd?: unknown },
  { before, after }: WakeChange,
): Promise<void> {
  if (principal !== undefined && principal.proof !== 'socket') return
  const { wake_command: command, wake_cwd: cwd } = input
  if (command === undefined && cwd === undefined) return
  const isAllSetNow =
    (command !== undefined || before.command === undefined) &&
    (cwd !== undefined || before.cwd === undefined)
  if (isAllSetNow || (await allowedCommands.includes(input.agent, before))) {
    await allowedCommands.allow(input.agent, after)
  }
}
