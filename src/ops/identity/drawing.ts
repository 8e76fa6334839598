import {
  bold,
  dim,
  drawTable,
  type InkName,
  id,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { describeSince, facts, type Page } from '../kit/drawing/page.ts'
import { count, oneLine, relative } from '../kit/drawing/text.ts'
import type { SignIn } from './sign-in.ts'
import type { IssueAnswer } from './token-issue.ts'
import type { TokenView } from './token-list.ts'
import type { WorkspaceView } from './workspace-view.ts'

export function drawWorkspaces(
  { workspaces }: { workspaces: WorkspaceView[] },
  page: Page,
): string {
  const columns: ListColumn<WorkspaceView>[] = [
    id('workspace_id'),
    bold('label'),
    'path',
    'default_agent',
    dim(({ removed_at }) => describeSince('removed', removed_at, page)),
  ]
  return drawTable(workspaces, columns, page, 'no workspaces')
}

export function drawWorkspace({ workspace }: { workspace: WorkspaceView }, page: Page): string {
  const rest = facts(
    [
      ['label', oneLine(workspace.label)],
      ['folder', oneLine(workspace.path)],
      ['pushes as', workspace.default_agent],
      ['removed', describeSince('', workspace.removed_at, page).trim()],
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
  const columns: ListColumn<TokenView>[] = [
    'token_id',
    'kind',
    bold(({ principal_kind, principal_name }) => `${principal_kind} ${principal_name}`),
    inInk('state', ({ state }) => STATE_INKS[state]),
    dim(limits),
    dim(({ last_used_at }) => describeSince('used', last_used_at, page) || 'never used'),
    ({ expires_at }) => describeSince('ends', expires_at, page),
    'label',
  ]
  return drawTable(tokens, columns, page, 'no tokens')
}

const STATE_INKS: Record<TokenView['state'], InkName> = {
  good: 'green',
  expired: 'dim',
  revoked: 'red',
  unusable: 'dim',
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
