import type { FoundDocument } from '../../core/workflows/instance-files.ts'
import { type AnswerOf, aFlag, aList, aNumber, aRow, aText } from '../kit/answer.ts'
import { query } from '../kit/operation.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, channelFor } from './instance-access.ts'

const LIST = {
  instance: aText('the instance'),
  entry_point: aText('the document that leads to the others'),
  files: aList(aText('a path'), 'the paths of the documents'),
  documents: aList(
    aRow<FoundDocument>('workflow document', 'a document of a workflow', {
      file: aText('its path'),
      bytes: aNumber('its size'),
      modified_at: aText('when it was last changed'),
    }),
    'the documents with size and time',
  ),
  has_more: aFlag('whether there are more'),
}

export type DocumentList = AnswerOf<typeof LIST>

export const contextDocList = query({
  name: 'workflow context doc list',
  example: 'workflow context doc list --agent coder@pr-123',
  summary: 'List the documents of a workflow, entry point first.',
  about:
    "Next are the documents named in the workflow file, then all others in its folder and subfolders. Hidden files, the channel's files and links are left out.",
  fields: CONTEXT_FIELDS,
  ...CHANNEL_READER,
  async run(context, input): Promise<DocumentList> {
    const instance = await channelFor(context, input)
    const { documents, more } = await context.instanceFiles.list(instance)
    return {
      instance: instance.instance,
      entry_point: instance.document,
      files: documents.map(({ file }) => file),
      documents,
      has_more: more,
    }
  },
  answer: LIST,
  lines: async (answer, page) => (await import('./drawing.ts')).drawDocuments(answer, page),
  tool: { name: 'document_list', does: 'List the documents.', args: {}, shows: 'files' },
})
