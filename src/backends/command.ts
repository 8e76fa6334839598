// The `command` backend runs any program. The program gets its mail on standard input, one JSON object per line, and
// its identity and the address of the tools in environment variables. Exit code 0 means it handled its mail. Its output
// goes into the log, and the end of the output becomes the turn's result. Documented in docs/command-agents.md.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Backend, TurnTask } from './backend.ts'
import { elsewhereNote, writeToolConfig } from './mcp-json.ts'
import { boundedTelling, LAST_LETTERS, tailOf } from './output.ts'
import { runProgram } from './program.ts'
import { unknownTools } from './tools.ts'

export const COMMAND: Backend = {
  name: 'command',
  tools: [],
  check(agent, { which }) {
    const [program] = agent.command ?? []
    if (program === undefined || program === '') {
      return [
        `agent ${agent.name}: the backend command needs a command; write for example command: [sh, agent.sh]`,
      ]
    }
    const remedy = program.includes('/')
      ? 'fix the path, which is relative to the folder where the workflow runs, and make the file executable'
      : 'install it, or put it on the PATH'
    const missing =
      which(program) === null
        ? [`agent ${agent.name}: there is no program ${JSON.stringify(program)}; ${remedy}`]
        : []
    return [...missing, ...unknownTools(agent, [])]
  },
  async run(task) {
    const tell = boundedTelling(task.tell)
    const last = tailOf(LAST_LETTERS)
    const note = elsewhereNote(task)
    if (note !== undefined) tell({ kind: 'error', text: note })
    const { exit, why, stderr } = await runProgram({
      command: task.command ?? [],
      cwd: task.cwd,
      env: { ...task.env, ...task.mcp.env, ...commandVariables(task) },
      input: task.mail.map((one) => `${JSON.stringify(one)}\n`).join(''),
      signal: task.signal,
      onLine(line) {
        last.add(`${line}\n`)
        tell({ kind: 'text', text: line })
      },
      onError: (text) => tell({ kind: 'error', text }),
    })
    return {
      ok: why === undefined,
      exit,
      session: null,
      last: last.text() || stderr,
      ...(why === undefined ? {} : { why }),
    }
  },
}

/** Passes the prompts in files, because a prompt may be too long for an environment variable. */
function commandVariables(task: TurnTask): Record<string, string> {
  const { folder, agent_id, instance, mcp } = task
  const prompt = join(folder, 'prompt.md')
  const system = join(folder, 'system.md')
  writeFileSync(prompt, task.prompt, { mode: 0o600 })
  writeFileSync(system, task.system, { mode: 0o600 })
  return {
    INBOX_AGENT: agent_id,
    INBOX_INSTANCE: instance,
    INBOX_FOLDER: folder,
    INBOX_PROMPT_FILE: prompt,
    INBOX_SYSTEM_FILE: system,
    INBOX_MCP_CONFIG: writeToolConfig(task),
    ...(mcp.socket === undefined ? {} : { INBOX_CONTEXT_SOCKET: mcp.socket }),
    ...(mcp.url === undefined ? {} : { INBOX_CONTEXT_URL: mcp.url }),
  }
}
