// Finds the web app: in the executable it lies in the pack, from source it is built at the first request.

import type { WebApp } from '../doors/http/web-app.ts'
import { findEmbedded } from './embedded.ts'
import type { BuiltApp } from './web-build.ts'
import { PACK_NAME, packedWebApp } from './web-pack.ts'

export function findWebApp(): WebApp {
  const pack = findEmbedded(PACK_NAME)
  return pack === undefined ? builtWebApp() : packedWebApp(pack)
}

function builtWebApp(): WebApp {
  let building: Promise<BuiltApp> | undefined
  const build = () => {
    building ??= import('./web-build.ts').then(({ buildWebApp }) => buildWebApp())
    return building
  }
  return {
    page: async () => (await build()).page,
    async file(name) {
      const found = (await build()).files.find((file) => file.name === name)
      return found === undefined ? null : { body: found.bytes, type: found.type, encoding: null }
    },
  }
}
