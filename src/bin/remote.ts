import type { Remote } from '../core/remote.ts'

/** A hook blocks an agent's turn, and the agent's program gives up on it after some seconds. */
const PATIENCE_MS = 3000

export const ask: Remote['ask'] = async (url, given) => {
  const response = await fetch(url, {
    ...(given && {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...given.headers },
      body: JSON.stringify(given.body),
    }),
    // The token is for the named server, not for one it redirects to.
    redirect: 'error',
    signal: AbortSignal.timeout(given?.patienceMs ?? PATIENCE_MS),
  })
  const text = await response.text()
  return { status: response.status, body: parseBody(text) }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
