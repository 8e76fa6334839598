// Follows what the programs of a run say: the logs of its agents, as they grow.

import { agentFolder, agentIdOf } from './kept-plan.ts'
import type { RunLine } from './run-lines.ts'
import type { RunWish } from './runner.ts'
import { readTurnLog } from './turn-log.ts'

const LOOK_MS = 300

export function followOutput(
  { plan, standalone, folder }: Pick<RunWish, 'plan' | 'standalone' | 'folder'>,
  say: (line: RunLine) => void,
) {
  const logs = plan.agents.map((agent) => {
    const path = agentFolder(folder, agent.name)
    // Only this run is of interest.
    return { agent: agentIdOf(plan, agent, standalone), path, end: readTurnLog(path, 0).end }
  })
  const tell = () => {
    for (const log of logs) {
      const { lines, end } = readTurnLog(log.path, log.end)
      log.end = end
      for (const { wake, ...line } of lines) {
        if (line.kind !== 'end') say({ event: 'output', agent: log.agent, wake_id: wake, ...line })
      }
    }
  }
  const timer = setInterval(tell, LOOK_MS)
  return {
    tell,
    end() {
      clearInterval(timer)
      tell()
    },
  }
}
