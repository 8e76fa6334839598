import { shellWord } from '../../core/shell-word.ts'
import { MAIL_TYPES } from '../../core/vocabulary.ts'
import type { WakeState } from '../../core/waking/wake-record.ts'
import {
  ago,
  dim,
  drawTable,
  type InkName,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { atFullWidth, describeSince, facts, type Page } from '../kit/drawing/page.ts'
import { count, lastLine, makeSafe, oneLine, readable } from '../kit/drawing/text.ts'
import type { WakeCommands } from './wake-allow.ts'
import type { WakeExplanation } from './wake-explain.ts'
import type { WakeView } from './wake-log.ts'

/** Prints each command in full, because the reader decides whether to allow exactly this. */
export function drawCommands({ store, commands, shown }: WakeCommands, { ink }: Page): string {
  const lines = commands.map(({ agent, command, cwd, allowed }) => {
    const where = cwd === null ? '' : ` in ${JSON.stringify(cwd)}`
    const mark = allowed ? ink.green('allowed') : ink.yellow('held   ')
    return `  ${mark}  ${oneLine(agent)}  ${makeSafe(`${JSON.stringify(command)}${where}`)}\n`
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

const STATE_INKS: Record<WakeState, InkName> = {
  starting: 'cyan',
  running: 'green',
  ended: 'dim',
  failed: 'red',
  lost: 'red',
}

export function drawWakes(wakes: WakeView[], page: Page): string {
  const columns: ListColumn<WakeView>[] = [
    dim('wake_id'),
    'agent_id',
    inInk('state', ({ state }) => STATE_INKS[state]),
    ago('started_at'),
    ({ attempt }) => (attempt > 1 ? `attempt ${attempt}` : ''),
    ({ cause }) => `by ${cause}`,
    ({ reason, stderr }) => [reason, lastLine(stderr)].filter((part) => part !== '').join(': '),
  ]
  return drawTable(wakes, columns, atFullWidth(page), 'nothing was started')
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
      ['changes', describeSince('', result.again, page).trim()],
      [
        'unread',
        result.waking === 0 ? '' : `${count(result.waking, 'message')} that would wake it`,
      ],
      ['woken by', result.types.join(', ')],
      ['by people', isAnything ? 'anything but status' : result.types_from_people.join(', ')],
      ['timer', describeSince('', result.next_timer, page).trim()],
      ['budget', `${count(result.budget_left, 'start')} left in this hour`],
    ],
    atFullWidth(page),
  )
  const before = result.wakes_before.length === 0 ? '' : `\n${drawWakes(result.wakes_before, page)}`
  return `${ink.bold(result.agent)} ${verdict}\n${rest}${before}`
}
