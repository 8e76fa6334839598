/** A file that scripts/build.ts put into the executable; undefined when running from source. */
export function findEmbedded(name: string): Blob | undefined {
  return Bun.embeddedFiles.find((file) => (file as Blob & { name: string }).name === name)
}
