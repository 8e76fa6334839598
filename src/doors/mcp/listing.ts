// The entry of a tool in a list. Its schema derives from the operation's fields, reduced to what helps a model.

import type { Field } from '../../ops/kit/field.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { defaultOf, type JsonSchema, shapeOf } from '../../ops/kit/schema.ts'
import type { Arg } from '../../ops/kit/tool.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import type { Tool } from './tools.ts'

export type ListedTool = {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, JsonSchema>; required?: string[] }
  annotations: { readOnlyHint: true } | { destructiveHint: false; openWorldHint: false }
  _meta: Record<string, unknown>
}

/** Without this mark, Claude Code shows its model only the tool's name, behind a search. */
const ALWAYS = { 'anthropic/alwaysLoad': true }

const listed = new Map<string, Promise<ListedTool>>()

export function listTools(tools: readonly Tool[]): Promise<ListedTool[]> {
  return Promise.all(
    tools.map((tool) => {
      const known = listed.get(tool.name) ?? listTool(tool)
      listed.set(tool.name, known)
      return known
    }),
  )
}

async function listTool(tool: Tool): Promise<ListedTool> {
  const op = await operationNamed(tool.op)
  const args = Object.entries(tool.args).filter(([, { unlisted }]) => !unlisted)
  const required = args.flatMap(([name, arg]) => (arg.required ? [name] : []))
  return {
    name: tool.name,
    description: tool.does,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(args.map(([name, arg]) => [name, shape(op, name, arg)])),
      ...(required.length > 0 && { required }),
    },
    annotations:
      op.writes === 'nothing'
        ? { readOnlyHint: true }
        : { destructiveHint: false, openWorldHint: false },
    _meta: ALWAYS,
  }
}

function shape(op: Operation, name: string, arg: Arg): JsonSchema {
  const about = { description: arg.about }
  const field = fieldOf(op, name, arg)
  const otherwise = arg.otherwiseBeside === undefined ? arg.otherwise : undefined
  const usual = defaultOf({ default: otherwise ?? field.default })
  const own = arg.isMe ? { type: 'boolean' } : arg.shape
  return { ...(own ?? bare(shapeOf(field))), ...about, ...usual }
}

function fieldOf(op: Operation, name: string, arg: Arg): Field {
  const field = op.fields[arg.field ?? name]
  if (field === undefined) throw new Error(`${op.name} has no field for ${name}`)
  return field
}

/** Leaves out limits, because the refusal of a value over one names it. */
function bare({ type, items, enum: of }: JsonSchema): JsonSchema {
  return { ...(type && { type }), ...(of && { enum: of }), ...(items && { items: bare(items) }) }
}
