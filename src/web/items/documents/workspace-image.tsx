// Images in a document of a workspace. A file next to the document is shown; any other image stays a link, because
// loading it would tell its server that the document is being read.

import { createContext, type ReactNode, useContext, useState } from 'react'
import { addressOf } from '../../api/session.ts'
import { type DocumentPlace, fileAddress } from './file.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'

const Place = createContext<DocumentPlace | null>(null)

/** The document being rendered, for resolving the relative paths in it. */
export function InWorkspace({ place, children }: { place: DocumentPlace; children: ReactNode }) {
  return <Place value={place}>{children}</Place>
}

type ImageProps = { src: string; alt: string; otherwise: ReactNode }

export function WorkspaceImage({ src, alt, otherwise }: ImageProps) {
  const place = useContext(Place)
  const [isBroken, setBroken] = useState(false)
  const path = place === null ? null : resolveWorkspacePath(place.path, src)
  if (place === null || path === null || isBroken) return otherwise
  const address = addressOf(fileAddress({ entry: place.entry, path }))
  return <img src={address} alt={alt} loading="lazy" onError={() => setBroken(true)} />
}
