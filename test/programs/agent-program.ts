// A session of an agent program: it starts its tools directly and its hooks through a shell, with the commands that
// `inbox install` writes. It answers each line it reads, `tools` or `hook`, with the agent's name.

const [inbox = '', wanted = ''] = process.argv.slice(2)

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
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

/** Relies on the store having a message for every name that a session can get. */
async function hook(): Promise<string> {
  const line = `'${inbox}' hook --client claude --event start --as '${wanted}'; true`
  const child = Bun.spawn(['sh', '-c', line], { stdin: new Blob(['{}']), stdout: 'pipe' })
  const said = await new Response(child.stdout).text()
  return /Mail for (\S+):/.exec(said)?.[1] ?? said
}

for await (const line of console) {
  process.stdout.write(`${await (line === 'tools' ? tools() : hook())}\n`)
}
