// An agent's program as far as its sessions go: it starts its tools itself and its hooks by a shell, both by the words that
// `inbox install` writes. Each line that it reads, `tools` or `hook`, is answered by a line with the agent's name.

const [inbox = '', wanted = ''] = process.argv.slice(2)

const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'program', version: '1.0.0' },
  },
}

async function tools(): Promise<string> {
  const child = Bun.spawn([inbox, 'mcp', '--as', wanted], { stdin: 'pipe', stdout: 'pipe' })
  child.stdin.write(`${JSON.stringify(HELLO)}\n`)
  child.stdin.end()
  const said = await new Response(child.stdout).text()
  return /You are (\S+) here/.exec(said)?.[1] ?? said
}

/** Somebody has written to every name that can be meant. */
async function hook(): Promise<string> {
  const line = `'${inbox}' hook --client claude --event start --as '${wanted}'; true`
  const child = Bun.spawn(['sh', '-c', line], { stdin: new Blob(['{}']), stdout: 'pipe' })
  const said = await new Response(child.stdout).text()
  return /Mail for (\S+):/.exec(said)?.[1] ?? said
}

for await (const line of console) {
  process.stdout.write(`${await (line === 'tools' ? tools() : hook())}\n`)
}
