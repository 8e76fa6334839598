// Names whose values are not for every eye on a screen. Raw JSON shows them, because that is what it is for.

const SECRET =
  /secret|password|passwd|passphrase|credential|api[_-]?key|private[_-]?key|access[_-]?key|(^|[_-])token$|(^|[_-])(auth|bearer)([_-]|$)/i

export const MASK = '••••••'

export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** A path as changes have it: secret if any of its steps is. */
export function isSecretPath(path: string): boolean {
  return path.split('/').some(isSecretName)
}
