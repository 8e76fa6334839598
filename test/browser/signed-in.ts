// Signs a browser in, and makes requests for it to show.

import { op, type Running } from '../server/serving.ts'
import type { Visitor } from './visiting.ts'

/** Submits the sign-in form directly, because sign-in.test.ts tests its page. */
export async function signIn(
  { page }: Pick<Visitor, 'page'>,
  server: Running,
  path = '/inbox',
): Promise<void> {
  const { body } = await op(server, 'sign-in', { server: server.url })
  // The test's browser resolves every name to this machine, but fetch does not.
  const entered = await fetch(`http://127.0.0.1:${server.port}/sign-in`, {
    method: 'POST',
    headers: {
      host: new URL(server.url).host,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ code: String(body.code) }).toString(),
    redirect: 'manual',
  })
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = cookie.split('=')
  const own = { name, value, url: server.url, httpOnly: true, sameSite: 'Strict' as const }
  await page.context().addCookies([own])
  // Every screen accepts the key after the #.
  const { hash } = new URL(entered.headers.get('location') ?? '', server.url)
  await page.goto(server.url + path + hash)
  await page.waitForSelector(path === '/inbox' ? 'h1 >> text="Inbox"' : 'main')
}

type Asking = {
  agent?: string
  type?: string
  title?: string
  risk?: string
  payload?: object
  editable?: boolean
  expires_seconds?: number
  workspace?: string
}

/** Creates a request by an agent and returns its id. */
export async function ask(server: Running, asking: Asking = {}): Promise<string> {
  const { agent = 'ledger', payload, ...rest } = asking
  const proposed = payload ?? {
    target: 'api',
    current: { limit: 1, on: true },
    proposed: { limit: 2, on: true },
  }
  const { body } = await op(
    server,
    'request-create',
    {
      type: 'config_change',
      title: 'Raise the limit',
      consequence: 'Twice as many calls are let through.',
      payload: JSON.stringify(proposed),
      ...rest,
    },
    { as: agent },
  )
  return String(body.request_id)
}

export async function statusOf(server: Running, request: string): Promise<string> {
  const { body } = await op(server, 'request-get', { request })
  return (body.request as { status: string }).status
}
