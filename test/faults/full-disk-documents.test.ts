// A workflow's documents on a disk that is full, and on one that is read-only. Each error is one clear line, and no
// content is lost or half written.

import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withStore } from '../races/own-store.ts'
import { inNamespace } from './namespace.ts'

const WRITER = join(import.meta.dirname, '../programs/document-filler.ts')

const SCRIPT = `
disk=$1 out=$2 bun=$3 writer=$4
mount -t tmpfs -o size=600k tmpfs "$disk" && mkdir "$disk/pr-1" || exit 99
change() { echo "$1" | "$bun" "$writer" "$disk/pr-1" >>"$out/told" 2>>"$out/errors"; }
change "notes.md 100000"
dd if=/dev/zero of="$disk/fill" bs=1k 2>"$out/dd"
change "notes.md 300000"
change "a/b/new.md 300000"
cat "$disk/pr-1/notes.md" | wc -c >"$out/size"
ls -A "$disk/pr-1" >"$out/files"
rm "$disk/fill"
change "notes.md 200000"
mount -o remount,ro "$disk"
change "notes.md 1"
`

test('a document that does not fit is refused, and the earlier text stays intact', async () => {
  await withStore('sqlite', async ({ folder }) => {
    const [disk, out] = [join(folder, 'disk'), join(folder, 'out')]
    mkdirSync(disk)
    mkdirSync(out)
    const { status, stderr } = inNamespace(SCRIPT, [disk, out, process.execPath, WRITER])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = (name: string) => readFileSync(join(out, name), 'utf8')
    expect(read('errors')).toBe('')
    const told = read('told')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)[1])
    const full = expect.stringMatching(/^invalid_state .* the disk is full; free some space/)
    expect(told).toEqual([
      true,
      full,
      full,
      true,
      expect.stringMatching(/^invalid_state .* the file system is read-only/),
    ])
    expect(Number(read('size'))).toBe(100_000)
    expect(read('files')).toBe('notes.md\n')
  })
}, 60_000)
