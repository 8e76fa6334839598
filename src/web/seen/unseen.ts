// Writes out characters that are invisible or that reorder others, so that a person sees what was actually stored.

/**
 * Direction marks, zero-width and tag characters, blank fillers, and control characters other than tabs and line
 * breaks. The Arabic number signs are excluded, because they're visible. Joiners are part of emoji and many scripts, so
 * they count only after an ASCII character.
 */
const UNSEEN =
  /((?:(?![\t\n\r])\p{Cc}|(?![\u0600-\u0605\u06dd\u200c\u200d])\p{Cf}|(?<=[\0-\x7f])[\u200c\u200d]|[\u115f\u1160\u2028\u2029\u3164\uffa0])+)/u

/** Escapes these characters as JSON does, so JSON stays valid. */
export function escapeUnseen(text: string): string {
  return piecesOf(text).join('')
}

/** Splits a string. Every second piece is invisible characters, written out. A single piece means there are none. */
export function piecesOf(text: string): string[] {
  const pieces = text.split(UNSEEN)
  return pieces.map((piece, at) => (at % 2 === 0 ? piece : piece.replace(/[\s\S]/g, unit)))
}

function unit(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
