import { flag } from './field.ts'
import { OPERATORS, query } from './operation.ts'
import type { WorkspaceView } from './workspace-view.ts'

export const workspaceList = query({
  name: 'workspace list',
  summary: 'List the registered folders.',
  fields: {
    removed: flag('also those that were removed'),
  },
  set: 'workspace',
  callers: OPERATORS,
  refusals: [],
  async run({ store }, input): Promise<{ workspaces: WorkspaceView[]; next_event_id: number }> {
    const next_event_id = await store.lastEventId()
    const all = await store.workspaces()
    const workspaces = all.filter(({ removed_at }) => input.removed || removed_at === null)
    return { workspaces, next_event_id }
  },
})
