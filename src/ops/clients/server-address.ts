import { field, quote, refuse } from '../../core/error.ts'
import type { ToolSet } from '../../core/principal.ts'
import { text } from '../kit/field.ts'

export const SERVER_FIELDS = {
  url: text('a server to use instead of a store: http://…/mcp', { max: 2000 }),
  token_variable: text('the environment variable that holds the token for it', { max: 100 }),
}

type ServerInput = { url?: string | undefined; token_variable?: string | undefined }

const DOOR = /\/mcp(\/[^/]+)?\/?$/

export function checkServer({ url, token_variable }: ServerInput): void {
  if (url !== undefined && !isDoor(url))
    throw refuse.invalid_input`${field('url')} ${quote(url)} is not the address of a server: http://…/mcp, or http://…/mcp/WORKSPACE`
  if (token_variable !== undefined && !/^[A-Za-z_]\w*$/.test(token_variable))
    throw refuse.invalid_input`${field('token_variable')} ${quote(token_variable)} is not a name`
  if (token_variable !== undefined && url === undefined)
    throw refuse.invalid_input`${field('token_variable')} needs ${field('url')}`
}

function isDoor(url: string): boolean {
  return /^https?:\/\/\S+$/.test(url) && URL.canParse(url) && DOOR.test(new URL(url).pathname)
}

export function agentIn(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (new URL(url).searchParams.get('agent') ?? undefined)
}

/** Returns the sets in the address without checking them, or undefined if there are none. */
export function setsIn(url: string): readonly ToolSet[] | undefined {
  const said = new URL(url).searchParams.get('sets')?.split(',')
  return said && (said as ToolSet[])
}

/** The address for a program, with its tool sets and, unless a token identifies it, its agent. */
export function doorFor(
  url: string,
  { agent, sets }: { agent?: string | undefined; sets?: readonly ToolSet[] | undefined },
): string {
  const more = [
    ...(agent === undefined ? [] : [`agent=${encodeURIComponent(agent)}`]),
    ...(sets === undefined ? [] : [`sets=${sets.join(',')}`]),
  ]
  const { origin, pathname, searchParams } = new URL(url)
  for (const [name, value] of searchParams) {
    const isSaid = (name === 'agent' && agent !== undefined) || (name === 'sets' && sets)
    if (!isSaid) more.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  return `${origin}${pathname}${more.length === 0 ? '' : `?${more.join('&')}`}`
}

export function operationAt(url: string, operation: string): string {
  const { origin, pathname, searchParams } = new URL(url)
  const store = searchParams.get('store')
  const which = store === null ? '' : `?store=${encodeURIComponent(store)}`
  return `${origin}${pathname.replace(DOOR, '')}/api/ops/${operation}${which}`
}
