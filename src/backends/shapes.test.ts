// The command line of each program, and events recorded from the real programs (claude 2.1.325, codex 0.166.0, opencode
// 1.18.33, gemini 0.61.0). Cursor's events are taken from its documentation.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TurnTask } from './backend.ts'
import { SHAPE as claude } from './claude.ts'
import type { CliShape, StreamFact } from './cli.ts'
import { SHAPE as codex } from './codex.ts'
import { SHAPE as cursor } from './cursor.ts'
import { SHAPE as gemini } from './gemini.ts'
import { SHAPE as opencode } from './opencode.ts'

const folder = mkdtempSync(join(tmpdir(), 'shapes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TASK: TurnTask = {
  agent_id: 'coder@pr-1',
  name: 'coder',
  instance: 'pr-1',
  session: null,
  system: 'You "code".\nWell.',
  prompt: 'Fix it.',
  mail: [],
  tools: [] as string[],
  cwd: folder,
  folder,
  env: { INBOX_DB: '/x.db', HOME: '/home/me', PGUSER: 'me' },
  mcp: { command: 'inbox', args: ['mcp', '--sets', 'workflow'], env: { INBOX_TOKEN: 'secret' } },
  living: { word: '1', isRunning: () => true },
  signal: new AbortController().signal,
  tell: () => {},
}

/** A program's arguments as a list, so that a diff is readable. */
const wordsOf = (shape: CliShape, more: Partial<TurnTask> = {}) =>
  shape.launch({ ...TASK, ...more }).words

const split = (words: string) => words.split(' ')

describe('the command line of each program', () => {
  test('claude', () => {
    const more = { model: 'anthropic/claude-sonnet-4-5', session: 'abc' }
    expect(wordsOf(claude, { ...more, tools: ['mailbox', 'Bash(git diff:*)'] })).toEqual([
      ...split('-p --output-format stream-json --verbose --strict-mcp-config --mcp-config'),
      join(folder, 'mcp.json'),
      '--system-prompt',
      TASK.system,
      ...split('--model claude-sonnet-4-5 --resume abc --allowedTools mcp__workflow-context'),
      'Bash(git diff:*)',
    ])
    expect(claude.launch(TASK).input).toBe('Fix it.')
  })

  test('passes a long system prompt to claude in a private file', () => {
    const words = wordsOf(claude, { system: 'x'.repeat(8001) })
    const path = words[words.indexOf('--system-prompt-file') + 1] ?? ''
    expect(readFileSync(path, 'utf8')).toHaveLength(8001)
    expect(words).not.toContain('--system-prompt')
  })

  test('codex gets the names of the server’s variables, not their values', () => {
    const tools = ['workspace-write', 'web_search']
    const words = wordsOf(codex, { model: 'openai/gpt-5-codex', session: 'abc', tools })
    expect(words).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      'workspace-write',
      '-m',
      'gpt-5-codex',
      '-c',
      'approval_policy="never"',
      '-c',
      'tools.web_search=true',
      '-c',
      'mcp_servers.workflow-context={command="inbox",args=["mcp","--sets","workflow"],env_vars=["INBOX_AGENT","INBOX_TOKEN","INBOX_DB","PGUSER"],required=true,default_tools_approval_mode="approve",tool_timeout_sec=120}',
      '-c',
      'developer_instructions="You \\"code\\".\\nWell."',
      'resume',
      'abc',
      '-',
    ])
    expect(words.join(' ')).not.toContain('secret')
  })

  test('codex reads back the same text from TOML', () => {
    const system = 'quotes " and \\ and\ttabs, ü, \u007f, \u0001 and 😀'
    const words = wordsOf(codex, { system })
    const line = words.find((word) => word.startsWith('developer_instructions=')) ?? ''
    expect(Bun.TOML.parse(line)).toEqual({ developer_instructions: system })
  })

  test('codex with a read-only sandbox, the user’s provider and a long system prompt', () => {
    const more = { model: 'ollama/qwen', system: 'x'.repeat(9000) }
    const { words, input } = codex.launch({ ...TASK, ...more })
    expect(words).toContain('read-only')
    expect(words.slice(5, 9)).toEqual(['-m', 'qwen', '-c', 'model_provider="ollama"'])
    expect(input).toBe(`${more.system}\n\nFix it.`)
  })

  test('opencode merges its settings into those in the variable', () => {
    const before = { theme: 'x', mcp: { own: {} }, agent: { build: {} } }
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(before) }
    const model = 'anthropic/claude-sonnet-4-5'
    const launch = opencode.launch({ ...TASK, env, model, session: 'ses_1', tools: ['write'] })
    expect(launch.words).toEqual([
      'run',
      '--format',
      'json',
      '--agent',
      'workflow-coder',
      '--model',
      model,
      '--session',
      'ses_1',
    ])
    const permission = { bash: 'deny', edit: 'allow', webfetch: 'deny', websearch: 'deny' }
    expect(JSON.parse(launch.env?.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
      theme: 'x',
      share: 'disabled',
      mcp: {
        own: {},
        'workflow-context': {
          type: 'local',
          command: ['inbox', 'mcp', '--sets', 'workflow'],
          enabled: true,
        },
      },
      agent: {
        build: {},
        'workflow-coder': {
          mode: 'primary',
          permission,
          prompt: `{file:${join(folder, 'system.md')}}`,
        },
      },
    })
  })

  test('gemini gets per-agent settings in its environment', () => {
    const tools = ['threads', 'run_shell_command(git diff)']
    const launch = gemini.launch({ ...TASK, model: 'google/gemini-2.5-pro', tools, session: 'u' })
    expect(launch.words).toEqual([
      '-o',
      'stream-json',
      '--approval-mode',
      'default',
      '--allowed-mcp-server-names',
      'workflow-context',
      '-m',
      'gemini-2.5-pro',
      '--resume',
      'u',
      '--allowed-tools',
      'run_shell_command(git diff)',
    ])
    expect(launch.env).toEqual({
      INBOX_MCP_SETS: 'workflow,threads',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_SYSTEM_MD: join(folder, 'system.md'),
    })
  })

  test('cursor gets the system prompt at the start of its prompt', () => {
    const more = { model: 'sonnet-4.5', session: 's', tools: ['force'] }
    expect(cursor.launch({ ...TASK, ...more })).toEqual({
      words: split(
        '-p --output-format stream-json --approve-mcps --trust --force --model sonnet-4.5 --resume s',
      ),
      env: { INBOX_MCP_SETS: 'workflow' },
      input: `${TASK.system}\n\nFix it.`,
    })
  })
})

describe('the events of each program', () => {
  const TABLE: [CliShape, string, StreamFact[]][] = [
    [
      claude,
      '{"type":"system","subtype":"init","cwd":"/p","session_id":"de74","tools":["Task"],"mcp_servers":[{"name":"workflow-context","status":"connected","source":"dynamic"}],"model":"claude-sonnet-4-5"}',
      [{ session: 'de74' }],
    ],
    [
      claude,
      '{"type":"system","subtype":"init","session_id":"de74","mcp_servers":[{"name":"workflow-context","status":"failed"}]}',
      [{ session: 'de74' }, { failure: 'the tools workflow-context did not start' }],
    ],
    [
      claude,
      '{"type":"assistant","message":{"id":"msg_2d","type":"message","role":"assistant","content":[{"type":"text","text":"Looking"},{"type":"tool_use","id":"toolu_ff","name":"mcp__workflow-context__inbox_check","input":{"timeout_seconds":1}}],"stop_reason":null},"parent_tool_use_id":null,"session_id":"de74"}',
      [
        { text: 'Looking' },
        { tool: 'mcp__workflow-context__inbox_check', input: { timeout_seconds: 1 } },
      ],
    ],
    [
      claude,
      '{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_ff","type":"tool_result","content":"{}"}]},"session_id":"de74"}',
      [],
    ],
    [
      claude,
      '{"type":"result","subtype":"success","is_error":false,"num_turns":3,"result":"Done","session_id":"de74","permission_denials":[{"tool_name":"Bash","tool_use_id":"toolu_1","tool_input":{}}]}',
      [{ session: 'de74' }, { trouble: 'it may not use Bash; name it in the tools of the agent' }],
    ],
    [
      claude,
      '{"type":"result","subtype":"error_during_execution","duration_ms":0,"is_error":true,"num_turns":0,"session_id":"0514","permission_denials":[],"errors":["No conversation found with session ID: 0514"]}',
      [{ failure: 'No conversation found with session ID: 0514' }],
    ],
    [
      codex,
      '{"type":"thread.started","thread_id":"01a1e3f3-1318-70b1-a77c-555479f8556f"}',
      [{ session: '01a1e3f3-1318-70b1-a77c-555479f8556f' }],
    ],
    [
      codex,
      '{"type":"item.started","item":{"id":"item_1","type":"mcp_tool_call","server":"workflow-context","tool":"channel_send","arguments":{"message":"x"},"result":null,"error":null,"status":"in_progress"}}',
      [{ tool: 'channel_send', input: { message: 'x' } }],
    ],
    [
      codex,
      '{"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"workflow-context","tool":"channel_send","arguments":{},"result":null,"error":{"message":"it was refused"},"status":"failed"}}',
      [{ trouble: 'channel_send: it was refused' }],
    ],
    [
      codex,
      '{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"I have looked\\nand ansüered"}}',
      [{ text: 'I have looked\nand ansüered' }],
    ],
    [codex, '{"type":"turn.completed","usage":{"input_tokens":30}}', []],
    [
      codex,
      '{"type":"turn.failed","error":{"message":"stream disconnected"}}',
      [{ failure: 'stream disconnected' }],
    ],
    [
      opencode,
      '{"type":"step_start","timestamp":1794825758462,"sessionID":"ses_e1","part":{"id":"prt_1","type":"step-start"}}',
      [{ session: 'ses_e1' }],
    ],
    [
      opencode,
      '{"type":"tool_use","sessionID":"ses_e1","part":{"type":"tool","tool":"workflow-context_inbox_check","callID":"call_4","state":{"status":"completed","input":{},"output":"Nothing new."}}}',
      [{ session: 'ses_e1' }, { tool: 'workflow-context_inbox_check', input: {} }],
    ],
    [
      opencode,
      '{"type":"text","sessionID":"ses_e1","part":{"id":"prt_1","type":"text","text":"I have looked","time":{"start":1,"end":2}}}',
      [{ session: 'ses_e1' }, { text: 'I have looked' }],
    ],
    [
      opencode,
      '{"type":"error","sessionID":"ses_e1","error":{"name":"APIError","data":{"message":"Unauthorized"}}}',
      [{ session: 'ses_e1' }, { failure: 'Unauthorized' }],
    ],
    [
      gemini,
      '{"type":"init","timestamp":"2026-11-16T10:43:54.496Z","session_id":"9d3a","model":"gemini-2.5-flash"}',
      [{ session: '9d3a' }],
    ],
    [gemini, '{"type":"message","role":"user","content":"Hello from stdin"}', []],
    [
      gemini,
      '{"type":"tool_use","tool_name":"mcp_workflow-context_inbox_check","tool_id":"x_0","parameters":{}}',
      [{ tool: 'mcp_workflow-context_inbox_check', input: {} }],
    ],
    [
      gemini,
      '{"type":"message","role":"assistant","content":"I have","delta":true}',
      [{ piece: 'I have' }],
    ],
    [gemini, '{"type":"result","status":"success","stats":{"total_tokens":60}}', []],
    [
      gemini,
      '{"type":"result","status":"error","error":{"type":"Error","message":"quota"}}',
      [{ failure: 'quota' }],
    ],
    [
      cursor,
      '{"type":"system","subtype":"init","session_id":"s-42","model":"gpt-5","cwd":"/p"}',
      [{ session: 's-42' }],
    ],
    [
      cursor,
      '{"type":"tool_call","subtype":"started","call_id":"c-1","tool_call":{"readToolCall":{"args":{"path":"a.rs"}}}}',
      [{ tool: 'read', input: { path: 'a.rs' } }],
    ],
    [
      cursor,
      '{"type":"result","subtype":"success","is_error":false,"result":"Done","session_id":"s-42"}',
      [{ session: 's-42' }],
    ],
  ]
  for (const [shape, line, facts] of TABLE) {
    test(`${shape.name}: ${line.slice(0, 90)}`, () => {
      expect(shape.read(JSON.parse(line))).toEqual(facts)
    })
  }

  test.each([claude, codex, opencode, gemini, cursor])(
    '$name: ignores events of any other shape',
    (shape) => {
      const types = [
        'assistant',
        'result',
        'item.completed',
        'tool_use',
        'text',
        'message',
        'error',
      ]
      const odd = [{}, { message: null, item: 7, part: [], error: 'x', content: {} }]
      for (const type of types) {
        for (const one of odd) expect(Array.isArray(shape.read({ ...one, type }))).toBe(true)
      }
    },
  )
})

describe('the model names each program accepts', () => {
  const TABLE: [CliShape, string, string | undefined][] = [
    [claude, 'anthropic/claude-sonnet-4-5', undefined],
    [claude, 'sonnet', undefined],
    [claude, 'openai/gpt-5', 'claude runs only models of anthropic, and "openai/gpt-5" is not one'],
    [claude, 'anthropic/', 'the model "anthropic/" has no name'],
    [codex, 'openai/gpt-5-codex', undefined],
    [codex, 'anthropic/claude-sonnet-4-5', 'codex does not run models of anthropic'],
    [opencode, 'anthropic/claude-sonnet-4-5', undefined],
    [opencode, 'openrouter/anthropic/claude', undefined],
    [opencode, 'sonnet', 'opencode needs a model with its provider'],
    [gemini, 'google/gemini-2.5-pro', undefined],
    [gemini, 'anthropic/claude-sonnet-4-5', 'gemini runs only models of google'],
    [cursor, 'sonnet-4.5', undefined],
  ]
  test.each(TABLE.map(([shape, model, words]) => [shape.name, model, words, shape] as const))(
    '%s: %s',
    (_, model, words, shape) => {
      expect(shape.modelProblem(model) ?? '').toStartWith(words ?? '')
      expect(shape.modelProblem(model) === undefined).toBe(words === undefined)
    },
  )
})
