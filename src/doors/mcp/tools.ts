// All tools, as described by their operations.

import type { ToolSet } from '../../core/principal.ts'
import { loadOperation, type OperationName, TOOLS } from '../../ops/catalogue.ts'
import type { ToolWords } from '../../ops/kit/tool.ts'

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

/** Lists an old tool only if the caller asks for it by name. The caller may call any tool of its sets. */
export function listedOf(tools: readonly Tool[], asked: readonly string[] = []): Tool[] {
  return tools.filter(({ name, isOld }) => !isOld || asked.includes(name))
}

export async function toolsOf(sets: readonly ToolSet[]): Promise<Tool[]> {
  return (await loadTools()).filter(({ set }) => sets.includes(set))
}
