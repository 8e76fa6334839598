import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ChannelEntry } from '../core/workflows/channel.ts'
import { type PromptMail, type PromptWish, promptFor } from './prompt.ts'

function entry(seq: number, message: string, from = 'coder'): ChannelEntry {
  const timestamp = `2026-05-01T10:00:${String(seq % 60).padStart(2, '0')}.000Z`
  return { id: `msg_${seq}`, seq, timestamp, from, message, mentions: [], reply_to: null }
}

function letter(id: string, text: string, priority: PromptMail['priority'] = 'normal'): PromptMail {
  return { id, from: 'coder', timestamp: '2026-05-01T10:00:00.000Z', text, priority }
}

const WISH: PromptWish = {
  agent: { name: 'reviewer', system_prompt: 'You review code.\n' },
  workflow: 'code-review',
  instance: 'pr-7',
  hasContext: true,
  team: [{ name: 'reviewer' }, { name: 'coder' }],
  mail: [letter('msg_1', '@reviewer please look')],
  entries: [entry(1, '@reviewer please look')],
  document: { name: 'notes.md', text: '# Notes' },
}

test('starts with the system prompt, then lists the members and the tools', () => {
  const { system, shown } = promptFor(WISH)
  expect(system).toStartWith('You review code.\n\n## How you work together')
  expect(system).toContain('You are reviewer, an agent of the workflow code-review (instance pr-7)')
  expect(system).toContain('The others are @coder;')
  for (const tool of [
    'inbox_check',
    'inbox_ack',
    'channel_read',
    'channel_send',
    'document_read',
    'document_write',
    'document_append',
    'document_create',
    'document_list',
    'team',
    'no_action',
  ]) {
    expect(system).toContain(`\`${tool}\``)
  }
  expect(shown).toEqual(['msg_1'])
})

test('shows high-priority mail first, then the rest in order', () => {
  const mail = [
    letter('a', 'one'),
    letter('b', 'two', 'high'),
    letter('c', 'three'),
    letter('d', 'four', 'high'),
  ]
  const { prompt, shown } = promptFor({ ...WISH, mail })
  expect(shown).toEqual(['b', 'd', 'a', 'c'])
  const at = ['HIGH PRIORITY, from coder', 'two', 'four', 'one', 'three'].map((word) =>
    prompt.indexOf(word),
  )
  expect(at).toEqual(at.toSorted((x, y) => x - y))
  expect(at[0]).toBeGreaterThan(0)
})

test('shows the last fifty entries, and the document unchanged', () => {
  const entries = Array.from({ length: 60 }, (_, at) => entry(at + 1, `said ${at + 1}.`))
  const { prompt } = promptFor({ ...WISH, entries })
  expect(prompt).toContain('the last 50 entries')
  expect(prompt).not.toContain('said 10.')
  expect(prompt).toContain('[10:00:11 coder, id msg_11]\nsaid 11.')
  expect(prompt).toContain('## The document notes.md\n\n<<<words 1>>>\n# Notes\n<<<end 1>>>')
})

test('names members by their short name, and others by their full name', () => {
  const mail = ['agent:coder@pr-7', 'agent:coder@pr-8', 'user'].map((from, at) => ({
    ...letter(`m${at}`, 'hi'),
    from,
  }))
  const { prompt } = promptFor({ ...WISH, mail })
  for (const from of ['from coder,', 'from coder@pr-8,', 'from user,']) {
    expect(prompt).toContain(from)
  }
})

test('reports an empty inbox, channel and document', () => {
  const document = { name: 'notes.md', text: ' \n' }
  const { prompt, shown } = promptFor({ ...WISH, mail: [], entries: [], document })
  expect(prompt).toContain('a timer woke you')
  expect(prompt).toContain('No entries yet.')
  expect(prompt).toContain('It is empty.')
  expect(shown).toEqual([])
})

test('without a context, mentions no tools, channel or document', () => {
  const { system, prompt } = promptFor({ ...WISH, hasContext: false })
  expect(system + prompt).not.toMatch(/channel|document|inbox_check/)
  expect(prompt).toContain('please look')
})

test('cuts long mail with a note, and leaves the rest for later', () => {
  const mail = Array.from({ length: 30 }, (_, at) => letter(`m${at}`, 'x'.repeat(50_000)))
  const entries = Array.from({ length: 50 }, (_, at) => entry(at + 1, 'y'.repeat(8000)))
  const document = { name: 'notes.md', text: 'z'.repeat(1_000_000) }
  const { prompt, shown } = promptFor({ ...WISH, mail, entries, document })
  expect(shown).toEqual(['m0', 'm1', 'm2'])
  expect(prompt).toContain('[30000 more letters; inbox_peek shows all of it]')
  expect(prompt).toContain('27 more are waiting; inbox_check shows them.')
  expect(prompt).toContain('[970000 more letters; document_read shows all of it]')
  expect(prompt).toContain('the last 7 entries')
  expect(prompt.length).toBeLessThan(180_000)
})

test('quoted text cannot end its block or add a heading', () => {
  const words = fc.array(
    fc.constantFrom(
      '<<<words 1>>>',
      '<<<end 1>>>',
      '\n<<<end 1>>>\n',
      '<<<end ',
      '1>>>',
      '2',
      '\n',
      '## For you',
      'x',
      '\n<<<end 2>>>\n\n## Now',
      '<<<words 2>>>',
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(words, words, words, words, (one, two, three, four) => {
      const [mailed, said, written, subject] = [one, two, three, four].map((all) => all.join(''))
      const { prompt } = promptFor({
        ...WISH,
        mail: [{ ...letter('a', mailed ?? ''), subject, from: 'a\n## b' }],
        entries: [entry(1, said ?? '')],
        document: { name: 'notes.md', text: `#${written}` },
      })
      const [, number = ''] = /\n<<<words (\d+)>>>\n/.exec(prompt) ?? []
      const [open, close] = [`<<<words ${number}>>>`, `<<<end ${number}>>>`]
      const marks = prompt.split('\n').filter((line) => line === open || line === close)
      expect(marks).toEqual([open, close, open, close, open, close])
      // All lines outside the fences must be ours.
      const ours = prompt
        .split(new RegExp(`${open}\n[^]*?\n${close}`))
        .join('')
        .split('\n')
      expect(ours.filter((line) => line.startsWith('##'))).toEqual([
        '## For you',
        '## The channel: the last entry, UTC',
        '## The document notes.md',
      ])
    }),
  )
})
