// The remote port: calls a server that runs elsewhere. Only the shell's door supplies it.

export interface Remote {
  /** Sends a GET, or a POST with a body. Rejects if there's no response within `patienceMs`, short by default. */
  ask(
    url: string,
    given?: { headers: Record<string, string>; body: object; patienceMs?: number },
  ): Promise<{ status: number; body: unknown }>
  /** Reads an environment variable of the caller. Secrets are kept there and are never arguments of a call. */
  variable(name: string): string | undefined
}
