// Letters that are not seen, or that turn the order of others around, are written out: a person reads what was stored.

/**
 * Marks of direction, of zero width and of tags, fillers without a shape, and control characters other than those that end
 * lines. The signs that stand before Arabic numbers have a shape. A joiner belongs to emoji and to words of many scripts,
 * and to nothing after a letter of ASCII.
 */
const UNSEEN =
  /((?:(?![\t\n\r])\p{Cc}|(?![\u0600-\u0605\u06dd\u200c\u200d])\p{Cf}|(?<=[\0-\x7f])[\u200c\u200d]|[\u115f\u1160\u2028\u2029\u3164\uffa0])+)/u

/** The text with such letters as JSON would write them, so that JSON stays what it was. */
export function escapeUnseen(text: string): string {
  return piecesOf(text).join('')
}

/** Every second piece, from the second one, is made of such letters and is written out. One piece: there are none. */
export function piecesOf(text: string): string[] {
  const pieces = text.split(UNSEEN)
  return pieces.map((piece, at) => (at % 2 === 0 ? piece : piece.replace(/[\s\S]/g, unit)))
}

function unit(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
