// A note is data the store keeps outside the log: a lease, a sighting, the digest of a secret. It can change without an
// event, and replay ignores it. Each note is declared in its subject and listed in notes.ts; a transaction writes it
// with tx.keep(NOTE, values).

/**
 * `query` names the query that writes the note, in the SQL of its subject. Its parameters are `values` plus `fixed`.
 */
export type Note<Values> = {
  query: string
  fixed?: Readonly<Record<string, string>>
  /** No one waits for this, so writing it alone doesn't ring the bell. */
  quiet?: true
  /** Never set; it carries the type. */
  readonly values?: Values
}
