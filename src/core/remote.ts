// The remote port: calls a server that runs elsewhere. Only the shell's door supplies it.

export interface Remote {
  /** Gets, or posts a body if one is given. Rejects when there is no answer soon, or by the time that is given. */
  ask(
    url: string,
    given?: { headers: Record<string, string>; body: object; patienceMs?: number },
  ): Promise<{ status: number; body: unknown }>
  /** A variable of the caller's process: secrets are kept there and are never arguments of a call. */
  variable(name: string): string | undefined
}
