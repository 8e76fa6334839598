// Field names whose values are masked on the page. Raw JSON shows them all the same.

const SECRET =
  /secret|password|passwd|passphrase|credential|api[_-]?key|private[_-]?key|access[_-]?key|(^|[_-])token$|(^|[_-])(auth|bearer)([_-]|$)/i

export const MASK = '••••••'

export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** A path into a payload is secret if any of its steps is. */
export function isSecretPath(path: string): boolean {
  return path.split('/').some(isSecretName)
}
