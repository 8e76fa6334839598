// How an agent is woken, from the words of a call: what is given changes, the rest stays.

import type { WakeSettings } from '../core/agent.ts'
import { quote, refuse } from '../core/error.ts'
import type { Instant } from '../core/time.ts'
import { MAIL_TYPES } from '../core/vocabulary.ts'
import { choices, type Input, int, json, path, powers, text } from './field.ts'

const MOST_WORDS = 100
const YEAR = 31_536_000

/** Whoever sets these decides what programs run on somebody's machine. */
export const WAKE_FIELDS = powers({
  wake_command: json('the program that wakes it and its words, as a JSON list; [] for none', {
    max: 16_384,
  }),
  wake_cwd: path('the folder it is started in'),
  wake_types: choices(MAIL_TYPES, 'the mail that wakes it', { default: 'by its role' }),
  wake_every_seconds: int('also wake it every so often; 0 ends that', { max: YEAR }),
  wake_cron: text('also wake it at these times: minute hour day month weekday', { max: 200 }),
  wake_quiet: text('hours in which it is left alone, such as 22-7', { max: 5 }),
  wake_budget_per_hour: int('at most so many wakes an hour', { min: 1, max: 3600 }),
  wake_hop_limit: int('at most so many wakes after each other without a person', {
    min: 1,
    max: 1000,
  }),
  wake_timeout_seconds: int('a wake that takes longer is ended', { min: 1, max: 86_400 }),
})

export type WakeInput = Input<typeof WAKE_FIELDS>

/** What no single field can say; asked before a store is touched. */
export function checkWake(input: WakeInput): void {
  if (input.wake_command !== undefined) commandOf(input.wake_command)
  if (input.wake_quiet !== undefined) quietOf(input.wake_quiet)
  if (input.wake_cwd !== undefined && !/^(\/|[A-Za-z]:[\\/])/.test(input.wake_cwd)) {
    throw refuse(
      'invalid_input',
      `--wake-cwd ${quote(input.wake_cwd)} is relative, and the broker may run anywhere; write the whole path`,
    )
  }
  if (input.wake_cron !== undefined) mustBeCron(input.wake_cron)
  if (input.wake_cron !== undefined && (input.wake_every_seconds ?? 0) > 0) {
    throw refuse('invalid_input', '--wake-cron and --wake-every-seconds exclude each other')
  }
}

export function changedWake(before: WakeSettings, input: WakeInput, now: Instant): WakeSettings {
  const wake: WakeSettings = { ...before }
  if (input.wake_command !== undefined) {
    const command = commandOf(input.wake_command)
    if (command.length > 0) wake.command = command
    else delete wake.command
  }
  if (input.wake_cwd !== undefined) wake.cwd = input.wake_cwd
  if (input.wake_types !== undefined) wake.types = input.wake_types
  if (input.wake_every_seconds !== undefined) {
    delete wake.every_seconds
    if (input.wake_every_seconds > 0) {
      wake.every_seconds = input.wake_every_seconds
      delete wake.cron
    }
  }
  if (input.wake_cron !== undefined) {
    wake.cron = input.wake_cron
    delete wake.every_seconds
  }
  delete wake.timer_since
  if (wake.every_seconds !== undefined || wake.cron !== undefined) {
    const isSame = wake.every_seconds === before.every_seconds && wake.cron === before.cron
    wake.timer_since = isSame ? (before.timer_since ?? now) : now
  }
  if (input.wake_quiet !== undefined) wake.quiet = quietOf(input.wake_quiet)
  if (input.wake_budget_per_hour !== undefined) wake.budget_per_hour = input.wake_budget_per_hour
  if (input.wake_hop_limit !== undefined) wake.hop_limit = input.wake_hop_limit
  if (input.wake_timeout_seconds !== undefined) wake.timeout_seconds = input.wake_timeout_seconds
  return wake
}

function commandOf(words: string): string[] {
  const command: unknown = JSON.parse(words)
  const isList =
    Array.isArray(command) &&
    command.length <= MOST_WORDS &&
    command.every((word) => typeof word === 'string') &&
    command[0] !== ''
  if (isList) return command
  throw refuse(
    'invalid_input',
    `--wake-command ${quote(words)} is not a JSON list of words, such as ["my-agent","--resume"]`,
  )
}

function quietOf(words: string): [number, number] {
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(words) ?? []
  const hours: [number, number] = [Number(from), Number(until)]
  if (hours.every((hour) => hour >= 0 && hour <= 24) && hours[0] !== hours[1]) return hours
  throw refuse(
    'invalid_input',
    `--wake-quiet ${quote(words)} is not two hours of the day, such as 22-7`,
  )
}

function mustBeCron(line: string): void {
  if (/^[\d*/,-]+( [\d*/,-]+){4}$/.test(line)) return
  throw refuse(
    'invalid_input',
    `--wake-cron ${quote(line)} is not five fields (minute hour day month weekday), such as "*/30 9-17 * * 1-5"`,
  )
}
