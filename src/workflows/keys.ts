// Every key of a workflow file, in one table. The reader follows it, and the published JSON Schema is generated from it.

import { BACKENDS } from '../backends/backend.ts'

export const LIMITS = {
  fileBytes: 256 * 1024,
  /** Includes values reached through aliases: a few lines of aliases can expand to millions. */
  values: 10_000,
  depth: 12,
  agents: 50,
  steps: 50,
  params: 50,
  documents: 100,
  kickoff: 64 * 1024,
  prompt: 256 * 1024,
  shell: 32 * 1024,
} as const

/** Names of agents and instances: the mention pattern with a length limit. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** Which placeholders a string can use: none (`${{` is left as it is), those for values, or setup outputs too. */
export type FillScope = 'nothing' | 'values' | 'values and setup'

export type KeyShape =
  | { is: 'text'; most: number; line?: true; form?: { pattern: RegExp; says: string } }
  | { is: 'whole'; least: number; most: number }
  | { is: 'span'; least: number; most: number }
  | { is: 'wakeup' }
  | { is: 'choice'; of: readonly string[] }
  | { is: 'flag' }
  | { is: 'scalar' }
  | { is: 'list'; of: KeyShape; least?: number; most: number }
  | { is: 'keys'; keys: Record<string, FileKey> }
  | { is: 'names'; of: KeyShape; most: number; pattern: RegExp }
  | { is: 'off or'; of: KeyShape }

export type FileKey = { about: string; shape: KeyShape; required?: true; fills?: FillScope }

const line = (most: number) => ({ is: 'text', most, line: true }) as const
const fileName = line(200)

const CONTEXT = {
  is: 'keys',
  keys: {
    provider: {
      about: 'where channel and documents are kept: in files, or only as long as it runs',
      shape: { is: 'choice', of: ['file', 'memory'] },
    },
    config: {
      about: 'of the provider file: where its files are',
      shape: {
        is: 'keys',
        keys: {
          dir: {
            about: 'the folder, from the working folder; .workflow/${{ instance }}/ if left out',
            shape: line(1000),
            fills: 'values',
          },
          channel: {
            about: 'the file of the channel in it; channel.md if left out',
            shape: fileName,
            fills: 'values',
          },
          document: {
            about: 'the document to begin with; notes.md if left out',
            shape: fileName,
            fills: 'values',
          },
          documents: {
            about: 'further documents',
            shape: { is: 'list', of: fileName, most: LIMITS.documents },
            fills: 'values',
          },
        },
      },
    },
  },
} as const satisfies KeyShape

const AGENT = {
  is: 'keys',
  keys: {
    model: {
      about: 'the model, as in anthropic/claude-sonnet-4-5; the backend sdk needs one',
      shape: line(200),
      fills: 'values',
    },
    system_prompt: {
      about: 'the prompt itself, or one line that ends in .md or .txt: a file beside this one',
      shape: { is: 'text', most: LIMITS.prompt },
      fills: 'values',
    },
    tools: {
      about: 'further tools: sets of this program, or names that the backend knows',
      shape: { is: 'list', of: line(200), most: 100 },
    },
    backend: {
      about: 'what runs the agent; sdk if left out',
      shape: { is: 'choice', of: BACKENDS },
    },
    command: {
      about: 'for the backend command: the program and its arguments, started without a shell',
      shape: { is: 'list', of: { is: 'text', most: 4096 }, least: 1, most: 100 },
      fills: 'values',
    },
    timeout: {
      about: 'how long a turn may take: seconds, or 90s, 10m, 2h',
      shape: { is: 'span', least: 1, most: 86_400 },
    },
    max_turns: {
      about:
        'how many turns it may have in one run, or in an hour of what start began; 100 if left out',
      shape: { is: 'whole', least: 1, most: 10_000 },
    },
    hops: {
      about:
        'a message wakes it only if fewer wakes than this separate it from a person’s message; 32 if left out',
      shape: { is: 'whole', least: 1, most: 100 },
    },
    wakeup: {
      about: 'wakes it without mail: every 30s, 10m, 2h, or by a cron line',
      shape: { is: 'wakeup' },
    },
  },
} as const satisfies KeyShape

const STEP = {
  is: 'keys',
  keys: {
    shell: {
      about: 'a command for sh -c, in the working folder',
      shape: { is: 'text', most: LIMITS.shell },
      required: true,
      fills: 'values and setup',
    },
    as: {
      about: 'the name under which its output is filled in',
      shape: {
        is: 'text',
        most: 64,
        form: { pattern: VARIABLE, says: 'letters, digits, _ and -, a letter or _ first' },
      },
    },
  },
} as const satisfies KeyShape

const PARAM = {
  is: 'keys',
  keys: {
    name: {
      about: 'what --param and ${{ params.NAME }} call it',
      shape: {
        is: 'text',
        most: 64,
        form: { pattern: VARIABLE, says: 'letters, digits, _ and -, a letter or _ first' },
      },
      required: true,
    },
    description: { about: 'what it is for', shape: { is: 'text', most: 1000 } },
    type: {
      about: 'string if left out',
      shape: { is: 'choice', of: ['string', 'number', 'boolean'] },
    },
    required: { about: 'whether a run without it is refused', shape: { is: 'flag' } },
    default: { about: 'the value if none is given', shape: { is: 'scalar' } },
  },
} as const satisfies KeyShape

const KEYS = {
  name: { about: 'the workflow’s name; the file’s if left out', shape: line(100), fills: 'values' },
  context: {
    about: 'channel and documents that the agents share: on if left out, false for none',
    shape: { is: 'off or', of: CONTEXT },
  },
  agents: {
    about: 'the agents by their names',
    shape: { is: 'names', of: AGENT, most: LIMITS.agents, pattern: NAME },
    required: true,
  },
  params: {
    about: 'values given when the file is run',
    shape: { is: 'list', of: PARAM, most: LIMITS.params },
  },
  setup: {
    about: 'commands that run before the kickoff, in order; if one fails, nothing starts',
    shape: { is: 'list', of: STEP, most: LIMITS.steps },
  },
  kickoff: {
    about: 'the first message; the agents that it mentions with @NAME begin',
    shape: { is: 'text', most: LIMITS.kickoff },
    fills: 'values and setup',
  },
} as const satisfies Record<string, FileKey>

export const FILE = { is: 'keys', keys: KEYS } as const satisfies KeyShape

/** The values of a file once it has the right shape. */
export type RawWorkflow = KeyValue<typeof FILE>
export type RawAgent = KeyValue<typeof AGENT>
export type RawParam = KeyValue<typeof PARAM>

type PlainValues = {
  text: string
  wakeup: string
  whole: number
  span: number
  flag: boolean
  scalar: string | number | boolean
}

type KeyValue<Shape> = Shape extends { is: keyof PlainValues }
  ? PlainValues[Shape['is']]
  : Shape extends { is: 'choice'; of: readonly (infer Choice)[] }
    ? Choice
    : Shape extends { is: 'list'; of: infer Of }
      ? KeyValue<Of>[]
      : Shape extends { is: 'names'; of: infer Of }
        ? Record<string, KeyValue<Of>>
        : Shape extends { is: 'off or'; of: infer Of }
          ? false | KeyValue<Of>
          : Shape extends { keys: infer Keys }
            ? ValuesOf<Keys>
            : never

type ValuesOf<Keys> = {
  [Name in keyof Keys as Keys[Name] extends { required: true } ? Name : never]: ValueAt<Keys[Name]>
} & {
  [Name in keyof Keys as Keys[Name] extends { required: true } ? never : Name]?: ValueAt<Keys[Name]>
}

type ValueAt<Key> = Key extends { shape: infer Shape } ? KeyValue<Shape> : never
