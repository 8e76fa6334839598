// Runs the built program as a server on a separate store.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '..', 'dist', 'inbox')

export type Serving = { url: string; signIn: string; pid: number; stop(): Promise<void> }

export async function serve(db: string, env: Record<string, string> = {}): Promise<Serving> {
  const child = Bun.spawn(
    [PROGRAM, 'serve', '--db', db, '--json', '--no-wake', '--socket', 'none'],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server ended before it served: ${text}`)
    text += decoder.decode(value)
  }
  const first = JSON.parse(text.split('\n')[0] as string) as {
    url: string
    stores: { sign_in: string }[]
  }
  return {
    url: first.url,
    signIn: first.stores[0]?.sign_in ?? '',
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

export function residentKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
}

/** Headers that let a local program without a token name its agent. */
export function as(agent: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-inbox-agent': agent }
}
