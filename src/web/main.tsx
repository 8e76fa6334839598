// The web app begins here: the session, the stream, the keys, then the page.

import './page.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { takeKeyFromAddress } from './api/session.ts'
import { beginLive } from './live/live.ts'
import { router } from './router.tsx'
import { listenForKeys } from './shell/commands.ts'

takeKeyFromAddress()
beginLive()
listenForKeys()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
