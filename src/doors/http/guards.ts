// Checks each request before doing anything else with it. A page on another site can make a browser send us requests.
// Headers that only browsers send (Origin, Sec-Fetch-Site) reveal such requests, and Host reveals a foreign name that
// was pointed at this machine.
// (1) Host must be one of our names, so a page whose host name was pointed at this machine is rejected. The runtime
//     drops the host of an absolute request line, so we never see it. Browsers send such a line only to a proxy, with
//     the same Host.
// (2) Origin, if present, must be one of ours. `null` isn't.
// (3) Sec-Fetch-Site, if present, must be same-origin or none. Another port of this machine counts as same-site, but
//     isn't ours. Links from other sites are allowed, but only to pages.
// (4) OPTIONS is always refused, because pages that need a preflight aren't allowed.
// (5) Browsers can't use the Unix socket, so browser headers are refused there.

import { decline, type HttpRefusal } from './answer.ts'
import { isScreen } from './web-app.ts'

export type ServerNames = {
  /** Hosts in lowercase, for example `127.0.0.1:4321`. */
  hosts: ReadonlySet<string>
  /** For example `http://127.0.0.1:4321`. */
  origins: ReadonlySet<string>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

export function guard(
  request: { method: string; headers: Headers; pathname: string },
  way: 'tcp' | 'socket',
  names: ServerNames,
): HttpRefusal | null {
  const { method, headers, pathname } = request
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (way === 'socket') {
    if (origin !== null || site !== null) {
      return decline(403, 'browsers may not use this socket')
    }
  } else {
    const host = headers.get('host') ?? ''
    if (!names.hosts.has(host.toLowerCase())) {
      return decline(421, 'this server does not have that name; use the address that it printed')
    }
    if (origin !== null && !names.origins.has(origin.toLowerCase())) {
      return decline(403, 'pages of other sites may not call this server')
    }
    const isOurs = site === null || site === 'same-origin' || site === 'none'
    if (
      !isOurs &&
      !(isFollowedLink(method, headers) && (pathname === '/sign-in' || isScreen(pathname)))
    ) {
      return decline(403, 'pages of other sites may not call this server')
    }
  }
  if (method === 'OPTIONS') return decline(403, 'this is not for pages of other sites')
  if (!METHODS.includes(method)) {
    return decline(405, `${method} is not supported here`, { allow: METHODS.join(', ') })
  }
  return null
}

function isFollowedLink(method: string, headers: Headers): boolean {
  const mode = headers.get('sec-fetch-mode')
  return method === 'GET' && mode === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** The names by which a server that listens on this host and port can be reached. */
export function namesFor(
  listening: { host: string; port: number },
  others: readonly string[],
): ServerNames {
  const { host, port } = listening
  const own = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host]
  const hosts = [...own.map((name) => `${name}:${port}`), ...(port === 80 ? own : []), ...others]
  const all = hosts.map((name) => name.toLowerCase())
  const origins = all.flatMap((name) => [`http://${name}`, `https://${name}`])
  return { hosts: new Set(all), origins: new Set(origins) }
}
