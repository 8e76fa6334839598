import { expect, test } from 'bun:test'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'

test.each([
  ['docs/a.md', 'chart.png', 'docs/chart.png'],
  ['docs/a.md', './img/chart.png', 'docs/img/chart.png'],
  ['docs/a.md', '../chart.PNG', 'chart.PNG'],
  ['a.md', 'my%20chart.webp', 'my chart.webp'],
  ['a.md', 'chart.png?raw=1', 'chart.png'],
])('%s shows %s from the workspace', (document, src, path) => {
  expect(resolveWorkspacePath(document, src)).toBe(path)
})

test.each([
  ['a.md', '../../chart.png'],
  ['docs/a.md', 'https://x.test/chart.png'],
  ['a.md', '//x.test/chart.png'],
  ['a.md', '/etc/chart.png'],
  ['a.md', '\\\\x.test\\chart.png'],
  ['a.md', 'data:image/png;base64,AAAA'],
  ['a.md', 'javascript:alert(1)//a.png'],
  ['a.md', 'chart.svg'],
  ['a.md', ''],
])('%s does not show %s', (document, src) => {
  expect(resolveWorkspacePath(document, src)).toBeNull()
})
