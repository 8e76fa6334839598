import { expect, test } from 'bun:test'
import { documentPath, formerChannelFile, isDocumentPath } from './instance-files.ts'

const PLACE = { channel_file: 'channel.md' }

test('normalizes the path of a document', () => {
  for (const [given, form] of [
    ['notes.md', 'notes.md'],
    ['./notes.md', 'notes.md'],
    ['findings//auth.md', 'findings/auth.md'],
    ['findings/./deep/auth issues.md', 'findings/deep/auth issues.md'],
    ['Ünïcode/日本.md', 'Ünïcode/日本.md'],
    ['channel-notes.md', 'channel-notes.md'],
    ['sub/channel.md', 'sub/channel.md'],
    ['sub/mcp.json', 'sub/mcp.json'],
    ['می\u200cخواهم.md', 'می\u200cخواهم.md'],
  ] as const) {
    expect(documentPath(given, 'file', PLACE)).toBe(form)
  }
})

test('rejects paths of anything but a document in the folder, with the reason', () => {
  for (const [given, why] of [
    ['/etc/passwd', 'is not inside the folder'],
    ['~/notes.md', 'is not inside the folder'],
    ['../notes.md', 'leads out of the folder'],
    ['findings/../../notes.md', 'leads out of the folder'],
    ['a\0b.md', 'has a control character'],
    ['a\nb.md', 'has a control character'],
    ['a\u2028b.md', 'has a control character'],
    ['a\\b.md', 'is written for another system'],
    ['C:/notes.md', 'is written for another system'],
    ['%2e%2e/notes.md', 'is encoded'],
    ['', 'names no file'],
    ['.', 'names no file'],
    ['findings/', 'names a folder'],
    ['.env', 'is hidden'],
    ['findings/.git/config', 'is hidden'],
    ['a/b/c/d/e/f/g/h/i.md', 'is more than 8 steps deep'],
    [`${'x'.repeat(201)}.md`, 'has a name of more than 200 bytes'],
    [`${'é'.repeat(101)}.md`, 'has a name of more than 200 bytes'],
    [`${'x'.repeat(150)}/`.repeat(4).concat('a.md'), 'is over 512 bytes long'],
    ['\ud800.md', 'is not valid Unicode'],
    ['mcp.json', 'is a file that the program makes'],
    ['Context.Sock', 'is a file that the program makes'],
    ['channel.md', 'follows the channel'],
    ['./CHANNEL.md', 'follows the channel'],
    ['channel-12.md', 'follows the channel'],
    ['channel.md/below.md', 'follows the channel'],
    ['mcp.json/below.md', 'is a file that the program makes'],
    ['no\u200btes.md', 'has a letter that cannot be seen'],
    ['\u202edm.notes', 'has a letter that cannot be seen'],
  ] as const) {
    expect(() => documentPath(given, 'file', PLACE)).toThrow(why)
    expect(isDocumentPath(given, PLACE)).toBe(false)
  }
})

test('names a former run’s channel file with the run’s number', () => {
  expect(formerChannelFile('channel.md', 3)).toBe('channel-3.md')
  expect(formerChannelFile('talk/main.log.md', 1)).toBe('talk/main.log-1.md')
  expect(formerChannelFile('channel', 2)).toBe('channel-2')
  expect(documentPath('channel.md', 'file', { channel_file: 'talk.md' })).toBe('channel.md')
  expect(isDocumentPath('talk-2.md', { channel_file: 'talk.md' })).toBe(false)
})
