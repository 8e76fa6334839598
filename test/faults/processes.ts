// Looks up other processes by pid.

export function parentOf(pid: number): number {
  const ran = Bun.spawnSync(['ps', '-o', 'ppid=', '-p', String(pid)])
  return Number(ran.stdout.toString().trim())
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
