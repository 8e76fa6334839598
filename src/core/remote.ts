// The remote port: asking a server that runs elsewhere. Only the shell's door supplies it.

export interface Remote {
  /** Gets, or posts what is given. Rejects when there is no answer soon. */
  ask(
    url: string,
    given?: { headers: Record<string, string>; body: object },
  ): Promise<{ status: number; body: unknown }>
  /** Of the caller's process: where secrets are, which are never words of a call. */
  variable(name: string): string | undefined
}
