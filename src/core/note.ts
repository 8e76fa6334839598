// A note is what the store keeps beside the log: a lease, a sighting, the digest of a secret. It may change without an
// event, and replay knows nothing of it. Each is declared in its subject and listed in notes.ts; a transaction writes one
// with tx.keep(NOTE, values).

/** `query` is the query that writes the note, in the SQL of its subject. It takes `values`, and `fixed` if there are any. */
export type Note<Values> = {
  query: string
  fixed?: Readonly<Record<string, string>>
  /** Nothing that anyone waits for, so no bell is rung for it alone. */
  quiet?: true
  /** Never set; it carries the type. */
  readonly values?: Values
}
