// Workspaces, tokens and ways in, for people.

import type { Issued } from '../../ops/identity/issue.ts'
import type { SignIn } from '../../ops/identity/sign-in.ts'
import type { TokenView } from '../../ops/identity/token-view.ts'
import type { WorkspaceView } from '../../ops/identity/workspace-view.ts'
import { facts, type Page, since } from '../../ops/kit/drawing/page.ts'
import {
  type Cell,
  count,
  type Ink,
  oneLine,
  type Palette,
  relative,
  table,
} from '../../ops/kit/drawing/text.ts'
import type { Renderers } from './render.ts'

export const RENDERERS: Renderers<'workspace' | 'token' | 'sign-in'> = {
  'workspace list': renderWorkspaces,
  'workspace add': renderWorkspace,
  'workspace rename': renderWorkspace,
  'workspace remove': (result: { workspace: WorkspaceView; revoked: number }, page) =>
    renderWorkspace(result, page) +
    (result.revoked === 0 ? '' : `${count(result.revoked, 'token')} revoked\n`),
  'token issue': renderIssued,
  'token list': renderTokens,
  'token revoke': ({ revoked }, page) => tokenTable([revoked], page),
  'sign-in': renderSignIn,
}

function renderWorkspaces({ workspaces }: { workspaces: WorkspaceView[] }, page: Page): string {
  if (workspaces.length === 0) return 'no workspaces\n'
  const rows = workspaces.map((workspace): Cell[] => [
    { text: workspace.workspace_id },
    { text: oneLine(workspace.label), ink: page.ink.bold },
    { text: oneLine(workspace.path) },
    { text: workspace.default_agent },
    { text: since('removed', workspace.removed_at, page), ink: page.ink.dim },
  ])
  return table(rows, page.terminal.columns)
}

function renderWorkspace({ workspace }: { workspace: WorkspaceView }, page: Page): string {
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

/** The token alone on the first line: it is what has to be taken from here. */
function renderIssued({ token, issued }: Issued, page: Page): string {
  const shown = token ?? 'it was shown when it was issued, and is kept nowhere'
  const once =
    token === null ? '' : 'Shown once, and kept nowhere. Whoever has it is who it is for.\n'
  return `${shown}\n${once}${tokenTable([issued], page)}`
}

function renderTokens({ tokens }: { tokens: TokenView[] }, page: Page): string {
  return tokens.length === 0 ? 'no tokens\n' : tokenTable(tokens, page)
}

function tokenTable(tokens: TokenView[], page: Page): string {
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

function limits({ workspace_id, sets }: TokenView): string {
  return [workspace_id ?? '', sets.join('+')].filter((part) => part !== '').join(' ')
}

function renderSignIn({ code, link, expires_at }: SignIn, { now }: Page): string {
  const shown = link ?? code ?? 'the code was shown when it was made, and is kept nowhere'
  const how = link === null && code !== null ? ' With --server URL it comes as a link.' : ''
  return `${shown}\nGood once; it ends ${relative(expires_at, now)}.${how}\n`
}
