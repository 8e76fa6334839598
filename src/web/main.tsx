import './page.css'
import './ui/layout.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { afterFirst, firstIsHere, queries, waitForFirst } from './api/queries.ts'
import { hasKey, takeKeyFromAddress } from './api/session.ts'
import { beginLive } from './live/live.ts'
import { router } from './router.tsx'
import { listenForKeys } from './ui/commands.ts'

takeKeyFromAddress()
// Only the inbox waits for its first rows, and only if it has the page's key.
if (hasKey() && /^\/(inbox)?$/.test(location.pathname)) waitForFirst()
else firstIsHere()
void afterFirst().then(beginLive)
listenForKeys()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
