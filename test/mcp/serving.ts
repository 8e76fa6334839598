// Runs the built program as a server in its own folder.

import { start } from '../program/process.ts'

export type Serving = {
  /** The base URL, without a path. */
  url: string
  socket: string
  /** The server's standard error so far. */
  log: () => string
  stop: () => Promise<number>
}

export async function serve(folder: string, args: string[] = []): Promise<Serving> {
  const child = start(['serve', '--json', ...args], { folder })
  let log = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stderr) log += decoder.decode(bytes, { stream: true })
  })()
  const { url, stores } = await firstLine(child.stdout)
  return {
    url,
    socket: stores[0]?.socket ?? '',
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      await reading
      return child.exited
    },
  }
}

type FirstLine = { url: string; stores: { socket: string }[] }

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<FirstLine> {
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server exited before serving: ${text}`)
    text += decoder.decode(value, { stream: true })
  }
  return JSON.parse(text.split('\n')[0] as string) as FirstLine
}
