// Separate from the component, so a test can load it without a page.

const SHOWN = /\.(png|jpe?g|gif|webp|avif)$/i

/** Returns the workspace path for a relative image reference in a document, or null for any other reference. */
export function resolveWorkspacePath(document: string, src: string): string | null {
  const [plain = ''] = src.split(/[?#]/)
  if (/^[a-z][a-z0-9+.-]*:/i.test(src) || /^[/\\]/.test(src) || !SHOWN.test(plain)) return null
  const steps = document.split('/').slice(0, -1)
  for (const step of decoded(plain).split('/')) {
    if (step === '..' && steps.pop() === undefined) return null
    if (step !== '..' && step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
