// How people see wakes in the shell.

import { shellWord } from '../../core/shell-word.ts'
import { MAIL_TYPES } from '../../core/vocabulary.ts'
import type { WakeState } from '../../core/waking/wake-record.ts'
import { facts, type Page, since, whole } from '../kit/drawing/page.ts'
import {
  type Cell,
  count,
  type Ink,
  oneLine,
  type Palette,
  readable,
  relative,
  safe,
  table,
} from '../kit/drawing/text.ts'
import type { WakeCommands } from './wake-allow.ts'
import type { WakeExplanation } from './wake-explain.ts'
import type { WakeView } from './wake-log.ts'

/** Prints each command in full, because the reader decides whether to allow exactly this. */
export function drawCommands({ store, commands, shown }: WakeCommands, { ink }: Page): string {
  const lines = commands.map(({ agent, command, cwd, allowed }) => {
    const where = cwd === null ? '' : ` in ${JSON.stringify(cwd)}`
    const mark = allowed ? ink.green('allowed') : ink.yellow('held   ')
    return `  ${mark}  ${oneLine(agent)}  ${safe(`${JSON.stringify(command)}${where}`)}\n`
  })
  const isAll = commands.every(({ allowed }) => allowed)
  // The address of a PostgreSQL store is shown without its password, so it can't be used in a command.
  const db = /^postgres/.test(store) ? '' : ` --db ${shellWord(store)}`
  const next = isAll ? '' : `allow exactly these with: inbox wake allow${db} --shown ${shown}\n`
  return `${oneLine(store)}: ${count(commands.length, 'command')}\n${lines.join('')}${next}`
}

type RunCounts = { started: number; lost: number; effects: number }

export function drawRun({ started, lost, effects }: RunCounts): string {
  const more = [
    lost === 0 ? '' : `, ${lost} lost`,
    effects === 0 ? '' : `, ${count(effects, 'effect')}`,
  ]
  return `${count(started, 'start')}${more.join('')}\n`
}

function stateInk(state: WakeState, ink: Palette): Ink {
  const inks = { starting: ink.cyan, running: ink.green, ended: ink.dim, failed: ink.red }
  return { ...inks, lost: ink.red }[state]
}

export function drawWakes(wakes: WakeView[], page: Page): string {
  if (wakes.length === 0) return 'nothing was started\n'
  const { ink, now, terminal } = whole(page)
  const rows = wakes.map((wake): Cell[] => [
    { text: wake.wake_id, ink: ink.dim },
    { text: wake.agent_id },
    { text: wake.state, ink: stateInk(wake.state, ink) },
    { text: relative(wake.started_at, now) },
    { text: wake.attempt > 1 ? `attempt ${wake.attempt}` : '' },
    { text: `by ${wake.cause}` },
    {
      text: [oneLine(wake.reason), lastLine(wake.stderr)].filter((part) => part !== '').join(': '),
    },
  ])
  return table(rows, terminal.columns)
}

function lastLine(stderr: string): string {
  return oneLine(stderr.trimEnd().split('\n').at(-1) ?? '')
}

export function drawExplained(result: WakeExplanation, page: Page): string {
  const { ink } = page
  const verdict = result.wakes
    ? ink.green('would be started now')
    : ink.yellow('would not be started now')
  const isAnything = result.types_from_people.length === MAIL_TYPES.length - 1
  const rest = facts(
    [
      ['why', page.terminal.isTty ? readable(oneLine(result.why), page.now) : oneLine(result.why)],
      [
        'broker',
        result.wakes && !result.broker ? "none runs; start 'inbox serve' or 'inbox wake run'" : '',
      ],
      ['changes', since('', result.again, page).trim()],
      [
        'unread',
        result.waking === 0 ? '' : `${count(result.waking, 'message')} that would wake it`,
      ],
      ['woken by', result.types.join(', ')],
      ['by people', isAnything ? 'anything but status' : result.types_from_people.join(', ')],
      ['timer', since('', result.next_timer, page).trim()],
      ['budget', `${count(result.budget_left, 'start')} left in this hour`],
    ],
    whole(page),
  )
  const before = result.wakes_before.length === 0 ? '' : `\n${drawWakes(result.wakes_before, page)}`
  return `${ink.bold(result.agent)} ${verdict}\n${rest}${before}`
}
