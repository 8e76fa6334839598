// Matches the names of fields whose values are masked on the page. Raw JSON still shows the values.

const SECRET =
  /secret|password|passwd|passphrase|credential|api[_-]?key|private[_-]?key|access[_-]?key|(^|[_-])token$|(^|[_-])(auth|bearer)([_-]|$)/i

export const MASK = '••••••'

export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** Whether any segment of a payload path names a secret. */
export function isSecretPath(path: string): boolean {
  return path.split('/').some(isSecretName)
}
