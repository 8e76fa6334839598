/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
