import { field } from '../../core/error.ts'
import { documentPath } from '../../core/workflows/instance-files.ts'
import { aList, aText } from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'
import { query } from '../kit/operation.ts'
import { type DocumentRevisionView, FILE_FIELD, REVISION, revisionView } from './document-view.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, channelFor } from './instance-access.ts'

export const contextDocHistory = query({
  name: 'workflow context doc history',
  example: 'workflow context doc history notes.md --agent coder@pr-123',
  summary: 'List who changed the documents of a workflow and when, newest first.',
  about:
    'A change made outside this program is found when the document is next written, and has no author. Old revisions lose their text: a document keeps up to a hundred texts and eight mebibytes.',
  fields: {
    ...CONTEXT_FIELDS,
    file: { ...FILE_FIELD, leftOut: 'all of them' },
    limit: byDefault(int('how many at most', { min: 1, max: 500 }), 50),
  },
  ...CHANNEL_READER,
  async run(context, input): Promise<{ instance: string; revisions: DocumentRevisionView[] }> {
    const found = await channelFor(context, input)
    const { instance } = found
    const file = input.file && documentPath(input.file, field('file'), found)
    const revisions = await context.store.revisions({ instance, file, limit: input.limit })
    return { instance, revisions: revisions.map(revisionView) }
  },
  answer: {
    instance: aText('the instance'),
    revisions: aList(REVISION, 'the newest first'),
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawHistory(answer, page),
})
