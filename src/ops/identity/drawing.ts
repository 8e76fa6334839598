// Draws workspaces, tokens and sign-ins for people.

import { facts, idIn, type Page, since } from '../kit/drawing/page.ts'
import {
  type Cell,
  count,
  type Ink,
  oneLine,
  type Palette,
  relative,
  table,
} from '../kit/drawing/text.ts'
import type { SignIn } from './sign-in.ts'
import type { IssueAnswer } from './token-issue.ts'
import type { TokenView } from './token-list.ts'
import type { WorkspaceView } from './workspace-view.ts'

export function drawWorkspaces(
  { workspaces }: { workspaces: WorkspaceView[] },
  page: Page,
): string {
  if (workspaces.length === 0) return 'no workspaces\n'
  const rows = workspaces.map((workspace): Cell[] => [
    { text: idIn(workspace.workspace_id, page) },
    { text: oneLine(workspace.label), ink: page.ink.bold },
    { text: oneLine(workspace.path) },
    { text: workspace.default_agent },
    { text: since('removed', workspace.removed_at, page), ink: page.ink.dim },
  ])
  return table(rows, page.terminal.columns)
}

export function drawWorkspace({ workspace }: { workspace: WorkspaceView }, page: Page): string {
  const rest = facts(
    [
      ['label', oneLine(workspace.label)],
      ['folder', oneLine(workspace.path)],
      ['pushes as', workspace.default_agent],
      ['removed', since('', workspace.removed_at, page).trim()],
    ],
    page,
  )
  return `${page.ink.bold(workspace.workspace_id)}\n${rest}`
}

export function drawRemoved(
  answer: { workspace: WorkspaceView; revoked: number },
  page: Page,
): string {
  const { revoked } = answer
  return drawWorkspace(answer, page) + (revoked === 0 ? '' : `${count(revoked, 'token')} revoked\n`)
}

/** The token is alone on the first line, so that it's easy to copy. */
export function drawIssued({ token, issued }: IssueAnswer, page: Page): string {
  const shown = token ?? 'it was shown when it was issued, and is not kept'
  const { principal_name: name } = issued
  const once =
    token === null
      ? ''
      : `It is shown only now, and not kept. Anyone who has it can act as ${name}.\n`
  return `${shown}\n${once}${drawTokens([issued], page)}`
}

export function drawTokens(tokens: TokenView[], page: Page): string {
  if (tokens.length === 0) return 'no tokens\n'
  const { ink, now } = page
  const rows = tokens.map((token): Cell[] => [
    { text: token.token_id },
    { text: token.kind },
    { text: `${token.principal_kind} ${token.principal_name}`, ink: ink.bold },
    { text: token.state, ink: stateInk(token.state, ink) },
    { text: limits(token), ink: ink.dim },
    { text: since('used', token.last_used_at, page) || 'never used', ink: ink.dim },
    { text: token.expires_at === null ? '' : `ends ${relative(token.expires_at, now)}` },
    { text: oneLine(token.label) },
  ])
  return table(rows, page.terminal.columns)
}

function stateInk(state: TokenView['state'], ink: Palette): Ink {
  return { good: ink.green, expired: ink.dim, revoked: ink.red, unusable: ink.dim }[state]
}

function limits({ workspace_id, sets, may }: TokenView): string {
  const parts = [workspace_id ?? '', sets.join('+'), ...may.map((grant) => `may ${grant}`)]
  return parts.filter((part) => part !== '').join(' ')
}

export function drawSignIn({ code, link, expires_at }: SignIn, { now }: Page): string {
  const shown = link ?? code ?? 'the code was shown when it was made, and is not kept'
  const isBare = link === null && code !== null
  const how = isBare
    ? " No server runs here: 'inbox serve --open' starts one and opens its link."
    : ''
  return `${shown}\nIt works once and expires ${relative(expires_at, now)}.${how}\n`
}
