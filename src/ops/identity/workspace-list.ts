import { aList, CURSOR } from '../kit/answer.ts'
import { flag } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { WORKSPACE } from './workspace-view.ts'

export const workspaceList = query({
  name: 'workspace list',
  example: 'workspace list',
  summary: 'List the registered folders.',
  fields: {
    removed: flag('include removed ones'),
  },
  set: 'workspace',
  callers: OPERATORS,
  refusals: [],
  async run({ store, caller }, input) {
    const next_event_id = await store.lastEventId()
    const all = await store.workspaces()
    // A token for one workspace sees only that workspace.
    const own = caller.principal?.workspace_id
    const workspaces = all.filter(
      ({ removed_at, workspace_id }) =>
        (input.removed || removed_at === null) && (own ?? workspace_id) === workspace_id,
    )
    return { workspaces, next_event_id }
  },
  answer: { workspaces: aList(WORKSPACE, 'in the order they were added'), next_event_id: CURSOR },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWorkspaces(answer, page),
})
