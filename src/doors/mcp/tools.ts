import type { ToolSet } from '../../core/principal.ts'
import { loadOperation, type OperationName, TOOLS } from '../../ops/catalogue.ts'
import type { Field } from '../../ops/kit/field.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { defaultOf, type JsonSchema, shapeOf } from '../../ops/kit/schema.ts'
import type { Arg, ToolWords } from '../../ops/kit/tool.ts'
import { operationNamed } from '../../ops/known-caller.ts'

export type Tool = ToolWords & { set: ToolSet; op: OperationName }

let loading: Promise<readonly Tool[]> | undefined

export function loadTools(): Promise<readonly Tool[]> {
  loading ??= Promise.all(TOOLS.map(loadTool)).then((tools) => tools.flatMap(withFormer))
  return loading
}

async function loadTool(name: OperationName): Promise<Tool> {
  const { tool, set } = await loadOperation(name)
  const its = tool?.set ?? set
  if (tool === undefined || its === 'every' || its === 'none') throw new Error(`${name} is no tool`)
  return { ...tool, set: its, op: name }
}

function withFormer(tool: Tool): Tool[] {
  const former = (tool.formerly ?? []).map((name): Tool => ({ ...tool, name, isOld: true }))
  return [tool, ...former]
}

/** Lists an old tool only if the caller asks for it by name. A caller can call any tool in its sets either way. */
export function listedOf(tools: readonly Tool[], asked: readonly string[] = []): Tool[] {
  return tools.filter(({ name, isOld }) => !isOld || asked.includes(name))
}

export async function toolsOf(sets: readonly ToolSet[]): Promise<Tool[]> {
  return (await loadTools()).filter(({ set }) => sets.includes(set))
}

export type ListedTool = {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, JsonSchema>; required?: string[] }
  annotations: { readOnlyHint: true } | { destructiveHint: false; openWorldHint: false }
  _meta: Record<string, unknown>
}

/** Without this mark, Claude Code shows its model only the tool's name, and the model has to search for it. */
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

/** Leaves out limits, because a call that exceeds one is refused with an error that states it. */
function bare({ type, items, enum: of }: JsonSchema): JsonSchema {
  return { ...(type && { type }), ...(of && { enum: of }), ...(items && { items: bare(items) }) }
}
