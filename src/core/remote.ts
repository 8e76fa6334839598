// The remote port: calls a server that runs elsewhere. Only the shell's door supplies it.

export interface Remote {
  /** Sends a GET, or a POST if there is a body. Rejects without an answer after a short time, or the given time. */
  ask(
    url: string,
    given?: { headers: Record<string, string>; body: object; patienceMs?: number },
  ): Promise<{ status: number; body: unknown }>
  /** A variable of the caller's process: secrets are kept there and are never arguments of a call. */
  variable(name: string): string | undefined
}
