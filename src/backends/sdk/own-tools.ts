// The tools that an agent of this backend gets in addition to the workflow's, if the workflow file names them.

import { jsonSchema, type ToolSet, tool } from 'ai'
import type { TurnTask } from '../backend.ts'
import type { OWN_TOOLS } from '../sdk.ts'
import { runCommand } from './command.ts'
import { FileFault, listInside, readInside, writeInside } from './folder.ts'
import { withoutKeys } from './provider.ts'

type OwnTool = (typeof OWN_TOOLS)[number]
type Around = Pick<TurnTask, 'cwd' | 'env' | 'model'>

const USUAL_SECONDS = 120
const MOST_SECONDS = 600
const MOST_WORDS = 200

const PATH = { type: 'string', description: 'relative to the working folder' } as const

const MAKERS: Record<OwnTool, (around: Around) => ToolSet[string]> = {
  read_file: ({ cwd }) =>
    tool({
      description: 'Read a text file of the working folder.',
      inputSchema: jsonSchema<{ path: string; from_line?: number; lines?: number }>({
        type: 'object',
        properties: {
          path: PATH,
          from_line: { type: 'integer', minimum: 1, description: 'the first line to show' },
          lines: { type: 'integer', minimum: 1, description: 'how many lines; all if left out' },
        },
        required: ['path'],
      }),
      execute: (given) => asText(() => readInside(cwd, text(given.path), rangeOf(given))),
    }),
  write_file: ({ cwd }) =>
    tool({
      description: 'Write a text file in the working folder, replacing any existing one.',
      inputSchema: jsonSchema<{ path: string; content: string }>({
        type: 'object',
        properties: { path: PATH, content: { type: 'string' } },
        required: ['path', 'content'],
      }),
      execute: ({ path, content }) => asText(() => writeInside(cwd, text(path), text(content))),
    }),
  list_files: ({ cwd }) =>
    tool({
      description: 'List a folder of the working folder. A name with / is a folder, with @ a link.',
      inputSchema: jsonSchema<{ path?: string; depth?: number }>({
        type: 'object',
        properties: {
          path: { ...PATH, default: '.' },
          depth: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
        },
      }),
      execute: ({ path = '.', depth = 1 }) =>
        asText(() => listInside(cwd, text(path), whole(depth))),
    }),
  run_command: ({ cwd, env, model }) =>
    tool({
      description:
        'Run a program in the working folder, without a shell: command is the program and its arguments. For pipes and so on, run a shell: ["sh", "-c", "..."].',
      inputSchema: jsonSchema<{ command: string[]; timeout_seconds?: number }>({
        type: 'object',
        properties: {
          command: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MOST_WORDS },
          timeout_seconds: {
            type: 'integer',
            minimum: 1,
            maximum: MOST_SECONDS,
            default: USUAL_SECONDS,
          },
        },
        required: ['command'],
      }),
      execute: ({ command, timeout_seconds = USUAL_SECONDS }, { abortSignal }) =>
        asText(() =>
          runCommand({
            command: words(command),
            cwd,
            env: withoutKeys(env, model),
            seconds: Math.min(Math.max(1, whole(timeout_seconds)), MOST_SECONDS),
            signal: abortSignal ?? new AbortController().signal,
          }),
        ),
    }),
}

export function ownTools(names: readonly string[], around: Around): ToolSet {
  const wanted = Object.entries(MAKERS).filter(([name]) => names.includes(name))
  return Object.fromEntries(wanted.map(([name, make]) => [name, make(around)]))
}

/** Returns an error as a result that the model can act on, instead of ending its turn. */
async function asText(work: () => string | Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileFault) return `refused: ${error.message}`
    const { code, message } = error as NodeJS.ErrnoException
    return `refused: ${code ?? message}`
  }
}

/** A model can send any value, whatever the tool's schema says. */
function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new FileFault('path and content must be strings')
}

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new FileFault('numbers are whole numbers')
}

function words(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_WORDS
  if (isList && value.every((one) => typeof one === 'string' && !one.includes('\0'))) return value
  throw new FileFault('command is a list of strings, the program first, such as ["git", "status"]')
}

function rangeOf({ from_line, lines }: { from_line?: number; lines?: number }) {
  return {
    ...(from_line !== undefined && { from_line: whole(from_line) }),
    ...(lines !== undefined && { lines: whole(lines) }),
  }
}
