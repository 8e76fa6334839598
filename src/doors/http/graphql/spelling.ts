// Converts values to GraphQL and back: enums in capitals, and null for empty text.

export function upper<T extends string | null | undefined>(word: T): string | null {
  return word?.toUpperCase() ?? null
}

export function lower(word: string | null | undefined): string | undefined {
  return word?.toLowerCase()
}

export function orNull(text: string): string | null {
  return text === '' ? null : text
}
