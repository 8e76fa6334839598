import { isFree } from '../../core/agents/agent.ts'
import { field, quote, refuse } from '../../core/error.ts'
import type { AgentPlan, WorkflowPlan } from '../../workflows/plan.ts'
import { commandOf } from '../agents/wake-settings.ts'
import { aNumber, aText } from '../kit/answer.ts'
import { byDefault, choice, flag, type Input, int, json, required, text } from '../kit/field.ts'
import { type BareContext, OPERATORS } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const BACKENDS = ['sdk', 'claude', 'codex', 'cursor', 'gemini', 'opencode', 'command'] as const

type NewAgent = { agent: string; instance: string; pid: number; log: string }

const FIELDS = {
  name: required(text('its name', { positional: true, max: 64 })),
  instance: text('a separate instance, so that it is NAME@INSTANCE', {
    max: 64,
    leftOut: 'none: the agent is NAME',
  }),
  context: flag('give it a channel and documents'),
  backend: byDefault(choice(BACKENDS, 'what runs it'), 'sdk'),
  model: text('the model', { max: 200 }),
  system_prompt: text('its instructions', { max: 100_000 }),
  tools: text('sets of tools, or names that the backend knows, separated by commas', {
    max: 4096,
  }),
  command: json('for the backend command: the program and its arguments, as a JSON list', {
    isCommand: true,
    max: 16_384,
  }),
  timeout_seconds: int('end a turn that takes longer than this', { min: 1, max: 86_400 }),
}

export const workflowNew = command({
  name: 'workflow new',
  example: 'workflow new helper --backend claude --system-prompt "You help."',
  summary: 'Start a standalone agent in the background.',
  about:
    "The agent has no file and no team. It waits for messages that people send with 'inbox workflow send', works in turns, and keeps running until 'inbox workflow stop'. With --context it also has its own channel and documents. With --instance it is NAME@INSTANCE.",
  fields: FIELDS,
  check({ name, instance, backend, model, command: words }) {
    for (const one of [name, instance ?? name]) {
      if (NAME.test(one) && isFree(one)) continue
      throw refuse.invalid_input`${quote(one)} cannot be a name here: letters, digits, _ and -, a letter first, and no reserved word`
    }
    if (words !== undefined) commandOf(words, 'command')
    if (backend === 'sdk' && model === undefined)
      throw refuse.invalid_input`${field('model')} is missing: the backend sdk needs one such as anthropic/claude-sonnet-4-5; or choose another ${field('backend')}`
    if (backend === 'command' && words === undefined)
      throw refuse.invalid_input`${field('command')} is missing: the backend command needs a program such as '["sh","agent.sh"]'`
  },
  writes: 'store',
  callers: OPERATORS,
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  // Create nothing for an agent that can't run.
  storeless: { when: () => true, run: startAgent },
  run: startAgent,
  answer: {
    agent: aText('its id'),
    instance: aText('its instance'),
    pid: aNumber('the process of its runner'),
    log: aText('the log file of its runner'),
  },
  lines: ({ agent, pid, log }, { command }) =>
    `${agent} waits for messages: ${command(`workflow send "…" --to ${agent}`)}\nprocess ${pid}, log ${log}\n`,
})

async function startAgent(
  context: AtShell<BareContext>,
  input: Input<typeof FIELDS>,
): Promise<NewAgent> {
  const [host, { keepRunning }, { backendProblems }] = await Promise.all([
    context.shell.workflows(),
    import('./run-plan.ts'),
    import('../../workflows/workflow-file.ts'),
  ])
  const standalone = input.instance === undefined
  const instance = input.instance ?? input.name
  const agent: AgentPlan = {
    name: input.name,
    backend: input.backend,
    ...(input.model === undefined ? {} : { model: input.model }),
    system_prompt: input.system_prompt ?? '',
    tools: toolsIn(input.tools ?? ''),
    ...(input.command === undefined ? {} : { command: commandOf(input.command, 'command') }),
    ...(input.timeout_seconds === undefined ? {} : { timeout_seconds: input.timeout_seconds }),
  }
  const problems = await backendProblems([agent], host)
  if (problems.length > 0) {
    const said = problems.map(({ what, remedy }) => `${what}; ${remedy}`)
    throw refuse.invalid_input`${said.join('\n')}`
  }
  const plan: WorkflowPlan = {
    name: input.name,
    file: '',
    instance,
    cwd: host.cwd,
    context: {
      provider: input.context ? 'file' : 'none',
      dir: input.context ? `${host.cwd}/.workflow/${instance}` : '',
      channel: 'channel.md',
      document: 'notes.md',
      documents: [],
    },
    agents: [agent],
    setup: [],
    params: {},
  }
  const wish = { plan, standalone, mode: 'start', resume: false, verbose: false } as const
  const runner = await keepRunning(context, host, wish)
  if ('ended' in runner)
    throw refuse.invalid_state`its runner ended at once; its log says\n${runner.why}`
  const { pid, log } = runner
  return { agent: standalone ? input.name : `${input.name}@${instance}`, instance, pid, log }
}

/** Commas inside parentheses don't separate tools: Bash(git add,git commit). */
function toolsIn(words: string): string[] {
  return words.split(/,(?![^(]*\))/).flatMap((word) => word.trim() || [])
}
