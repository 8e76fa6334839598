// How many tokens of a model's context each set of tools takes up before the model does anything.

import { getEncoding } from 'js-tiktoken'
import { TOOL_SETS } from '../src/core/principal.ts'
import { listTools, toolsOf } from '../src/doors/mcp/tools.ts'
import type { Report } from './report.ts'

export async function benchTools(): Promise<Report> {
  const encoding = getEncoding('o200k_base')
  const figures: Report['figures'] = []
  for (const set of TOOL_SETS) {
    const list = await listTools(await toolsOf([set]))
    figures.push({
      name: `the list of ${set}`,
      value: encoding.encode(JSON.stringify(list)).length,
      unit: 'tokens',
      bar: { at: '<=', value: 1500 },
      over: 'nothing: as o200k_base counts',
    })
  }
  return { figures, notes: [] }
}
