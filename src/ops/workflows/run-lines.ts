// The lines of a run as text, for terminals and logs where lines can't be redrawn.

import { visible } from '../../core/error.ts'
import { epochMs } from '../../core/time.ts'
import type { RunnerState } from '../../workflows/runner.ts'
import type { RunnerLine } from '../../workflows/runner-report.ts'
import { lastLine } from '../kit/drawing/text.ts'

const SHOWN = 160

/** Undefined for lines that are only shown with --verbose. */
export function lineOf(line: RunnerLine, verbose: boolean): string | undefined {
  switch (line.event) {
    case 'started':
      return `${line.resumed ? 'resumed' : 'started'} ${line.instance}, run ${line.run}`
    case 'context':
      return line.note ?? (verbose ? `tools at ${line.socket} and ${line.url}` : undefined)
    case 'setup':
      return `setup: ${shorten(line.shell)}`
    case 'kickoff':
      return line.to.length === 0
        ? 'the kickoff mentions no one'
        : `kickoff to ${line.to.join(', ')}`
    case 'turn': {
      const again = line.attempt > 1 ? `, attempt ${line.attempt}` : ''
      const why = line.cause === 'timer' ? 'by its timer' : `for ${line.unread} unread`
      return `${line.agent} works ${why}${again}`
    }
    case 'turn_end': {
      const took = `after ${line.seconds.toFixed(1)} s`
      const hint = verbose ? '' : ' (--verbose shows its output)'
      if (line.state !== 'ended')
        return `${line.agent} failed ${took}: ${shorten(line.reason)}${hint}`
      return `${line.agent} is done ${took}${line.last === '' ? '' : `: ${shorten(lastLine(line.last))}`}`
    }
    case 'entry':
      return `  [${line.from}] ${shorten(line.message)}`
    case 'output':
      return verbose ? `    ${line.agent} ${line.kind}: ${shorten(line.text)}` : undefined
    case 'gave_up':
      return `${line.agent} is given up: ${shorten(line.why)}`
    case 'held':
      return `${line.agent} is held: ${shorten(line.why)}`
    case 'warning':
      return visible(line.words)
    case 'stopping':
      return `stopping ${line.agents.join(', ')}`
    case 'ending':
      return undefined
  }
}

export function shorten(text: string, most = SHOWN): string {
  const line = visible(text.trim().replace(/\s+/g, ' '))
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

const LAST_SHOWN = 60

/** The progress line of a run, which is redrawn in place. */
export function progressLine(
  { members, turns, lastEntry, now }: RunnerState,
  elapsedMs: number,
): string {
  const busy = members.flatMap(({ name, since, unread }) => {
    const left = unread > 0 ? `, ${unread} unread` : ''
    if (since !== null) return [`${name} works ${duration(epochMs(now) - epochMs(since))}${left}`]
    return unread > 0 ? [`${name}${left.slice(1)}`] : []
  })
  const last = lastEntry === '' ? [] : [shorten(lastEntry, LAST_SHOWN)]
  const all = [
    `${duration(elapsedMs)}, ${turns === 1 ? '1 turn' : `${turns} turns`}`,
    ...busy,
    ...last,
  ]
  return all.join(' · ')
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
