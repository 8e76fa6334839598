// Node imports this file as the package's entry. Node 20 is enough to install and build, but not for the library. This
// is plain JavaScript, so that an older Node can at least say so.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 21)) {
  throw new Error(
    `mailroom needs Node 24.21 or newer, or Bun 1.4; this is Node ${process.versions.node}`,
  )
}

export const { CODES, connect, Refusal } = await import('../src/index.ts')
