// The end of a run as people see it: how it ended, the last words of each agent, and what it left.

import { visible } from '../../core/error.ts'
import type { RunReport } from '../../workflows/run-report.ts'
import type { Page } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { count } from '../kit/drawing/text.ts'
import { WORDS_OF_END } from './run-error.ts'
import { lastLine, short } from './run-words.ts'
import type { StartedRunner, UnbegunRunner } from './workflow-start.ts'

export function drawStarted(runner: StartedRunner, { command }: Page): string {
  const { instance, has_begun, pid, log, url } = runner
  const setup = has_begun
    ? ''
    : 'setup still runs, and no agent is called yet; the log says how it ends\n'
  const where = url === '' ? '' : `, tools at ${url}`
  return `${visible(instance)} goes on in the background: process ${pid}${where}\n${setup}log: ${visible(log)}\n${command(`workflow stop @${instance}`)} ends it\n`
}

export function drawUnbegun({ instance, ended, why, log }: UnbegunRunner, page: Page): string {
  const said = why === '' ? '' : `${words(why, page)}\n`
  return `${visible(instance)} ${WORDS_OF_END[ended]} before its agents were called\n${said}log: ${visible(log)}\n`
}

export function drawReport(report: RunReport, _page: Page): string {
  const { instance, ended, why, seconds, turns, entries, agents, documents } = report
  const said = agents
    .filter(({ turns, unread, last }) => turns > 0 || unread > 0 || last !== '')
    .map(({ name, turns, unread, last }) => {
      const left = unread > 0 ? `, ${unread} unread` : ''
      const words = last === '' ? '' : `  ${short(lastLine(last))}`
      return `  ${name}  ${count(turns, 'turn')}${left}${words}\n`
    })
  const more = why === '' ? '' : `: ${visible(why)}`
  const sums = `${count(turns, 'turn')}, ${count(entries, 'entry', 'entries')}, ${seconds} s`
  const files = documents.map(
    ({ file, revision, by }) => `  ${visible(file)}  revision ${revision} by ${by}\n`,
  )
  const written = files.length === 0 ? '' : `documents\n${files.join('')}`
  return `${visible(instance)} ${WORDS_OF_END[ended]}${more} (${sums})\n${said.join('')}${written}`
}
