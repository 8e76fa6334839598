// A disk that is really full: a small memory file system, mounted where only the script sees it. Needs Linux and
// permission to create a namespace (root has it; most systems give it to everyone).

import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withStore } from '../races/own-store.ts'
import { PROGRAM } from '../worlds/program.ts'
import { expectJsonRefusal, expectRefusal, type Ran } from './inbox.ts'
import { inNamespace } from './namespace.ts'

// Each step writes its output and exit code outside the small disk.
const SCRIPT = `
disk=$1 out=$2 inbox=$3
mount -t tmpfs -o size=2m tmpfs "$disk" && cd "$disk" || exit 99
run() { name=$1; shift; "$inbox" "$@" >"$out/$name.out" 2>"$out/$name.err"; echo $? >"$out/$name.exit"; }
run before send --db=store.db --from=lead --to=worker --subject=before
"$inbox" watch --db=store.db >"$out/waiter.out" 2>"$out/waiter.err" & waiter=$!
# A mapped file has its pages. Before that, the waiter could find the disk full itself.
until grep -q store.db-shm /proc/$waiter/maps; do sleep 0.01; done
dd if=/dev/zero of=fill bs=1k 2>"$out/dd"
run full send --db=store.db --from=lead --to=worker --subject=full --body-file="$out/body"
run full-json send --db=store.db --from=lead --to=worker --subject=full --body-file="$out/body" --json
run new send --db=new.db --from=lead --to=worker --subject=new
run backup backup copy.db --db=store.db
run list list --db=store.db --json
ls >"$out/files"
rm fill
run after send --db=store.db --from=lead --to=worker --subject=after --body-file="$out/body"
wait $waiter; echo $? >"$out/waiter.exit"
run doctor doctor --db=store.db
run threads list --db=store.db --json
mount -o remount,ro "$disk"
run frozen send --db=store.db --from=lead --to=worker --subject=frozen
run frozen-new send --db=new2.db --from=lead --to=worker --subject=frozen
`

test('each command on a full or read-only disk reports one clear line, and loses no stored data', async () => {
  await withStore('sqlite', async ({ folder }) => {
    const [disk, out] = [join(folder, 'disk'), join(folder, 'out')]
    mkdirSync(disk)
    mkdirSync(out)
    await Bun.write(join(out, 'body'), 'x'.repeat(400_000))
    const { status, stderr } = inNamespace(SCRIPT, [disk, out, PROGRAM])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const ran = (name: string): Ran => {
      const read = (end: string) => readFileSync(join(out, `${name}.${end}`), 'utf8')
      return { exit: Number(read('exit')), signal: null, stdout: read('out'), stderr: read('err') }
    }
    expect(ran('before').exit).toBe(0)
    const full = /store\.db cannot grow: the disk is full; free some space and try again/
    expectRefusal(ran('full'), { exit: 50, says: full })
    expectJsonRefusal(ran('full-json'), { exit: 50, code: 'store_unusable', says: full })
    expectRefusal(ran('new'), { exit: 50, says: /new\.db cannot grow: the disk is full/ })
    expectRefusal(ran('backup'), {
      exit: 50,
      says: /(copy|store)\.db cannot grow: the disk is full/,
    })
    // The store can still be read, and no partial copy is left behind.
    expect(JSON.parse(ran('list').stdout)).toMatchObject({ threads: [{ subject: 'before' }] })
    expect(readFileSync(join(out, 'files'), 'utf8')).not.toContain('copy.db')

    expect(ran('after').exit).toBe(0)
    expect(ran('waiter').exit).toBe(0)
    expect(ran('doctor')).toMatchObject({ exit: 0, stderr: '' })
    const { threads } = JSON.parse(ran('threads').stdout) as { threads: { subject: string }[] }
    expect(threads.map(({ subject }) => subject).sort()).toEqual(['after', 'before'])

    expectRefusal(ran('frozen'), {
      exit: 50,
      says: /cannot be opened; check the path, its permi/,
    })
    const readOnly = /cannot make the store .*new2\.db: the file system is read-only/
    expectRefusal(ran('frozen-new'), { exit: 50, says: readOnly })
  })
})

const READY = `
disk=$1 out=$2 inbox=$3 bun=$4
mount -t tmpfs -o size=6m tmpfs "$disk" && cd "$disk" || exit 99
"$inbox" serve --json --db=store.db --socket=none --port=0 >"$out/serving" 2>"$out/log" & server=$!
until [ -s "$out/serving" ]; do sleep 0.01; done
export out
ask() { "$bun" -e '
  const { url } = JSON.parse((await Bun.file(process.env.out + "/serving").text()).split("\\n")[0])
  const headers = { "x-inbox-agent": "lead", "content-type": "application/json" }
  const body = JSON.stringify({ to: "worker", subject: "one", body: "x".repeat(50_000) })
  const send = async () => (await fetch(url + "/api/ops/send", { method: "POST", headers, body })).status
  const ready = async () => (await fetch(url + "/readyz")).status
  if (process.env.what === "fill") while ((await send()) === 200);
  // The server caches the result of a probe for a moment.
  if (process.env.what === "freed") while ((await ready()) !== 200);
  console.log(process.env.what, await send(), await ready())
' >>"$out/asked" 2>&1; }
what=empty ask
dd if=/dev/zero of=fill bs=1k 2>"$out/dd"
what=fill ask
rm fill
what=freed ask
kill $server; wait $server
"$inbox" doctor --db=store.db >"$out/doctor" 2>&1
`

test('a server on a full disk is not ready, and is ready again once there is space', async () => {
  await withStore('sqlite', async ({ folder }) => {
    const [disk, out] = [join(folder, 'disk'), join(folder, 'out')]
    mkdirSync(disk)
    mkdirSync(out)
    const { status, stderr } = inNamespace(READY, [disk, out, PROGRAM, process.execPath])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const asked = readFileSync(join(out, 'asked'), 'utf8')
    expect(asked).toBe('empty 200 200\nfill 503 503\nfreed 200 200\n')
  })
})
