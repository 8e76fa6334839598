// Images in a document of a workspace: one that lies beside the document is shown, any other stays a link, because
// loading it would tell its server that somebody reads.

import { createContext, type ReactNode, useContext, useState } from 'react'
import { addressOf } from '../../api/session.ts'
import { type DocumentPlace, fileAddress } from './file.ts'
import { pathBeside } from './path-beside.ts'

const Place = createContext<DocumentPlace | null>(null)

/** Says which document of which push the text is, so that it can name files beside it. */
export function InWorkspace({ place, children }: { place: DocumentPlace; children: ReactNode }) {
  return <Place value={place}>{children}</Place>
}

type ImageProps = { src: string; alt: string; otherwise: ReactNode }

export function WorkspaceImage({ src, alt, otherwise }: ImageProps) {
  const place = useContext(Place)
  const [isBroken, setBroken] = useState(false)
  const path = place === null ? null : pathBeside(place.path, src)
  if (place === null || path === null || isBroken) return otherwise
  const address = addressOf(fileAddress({ entry: place.entry, path }))
  return <img src={address} alt={alt} loading="lazy" onError={() => setBroken(true)} />
}
