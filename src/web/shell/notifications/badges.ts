// The tab's title and icon, and the badge of an installed app. They count what needs the person and never blink.

import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asking } from '../../api/queries.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { useStore } from '../../ui/store.ts'
import { openTitle } from '../../ui/tab-title.ts'
import { SCREENS } from '../screens.ts'

export function useBadges(): void {
  const { data } = useQuery(asking('desk', {}))
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const needs = data?.needs_you.total ?? 0
  const isUnread = (data?.unread ?? 0) > 0
  const screen = SCREENS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  const shown = useStore(openTitle) ?? screen?.title
  const name = shown === undefined ? 'Mailroom' : `${escapeUnseen(shown)} – Mailroom`
  useEffect(() => {
    document.title = needs === 0 ? name : `(${needs > 999 ? '999+' : needs}) ${name}`
  }, [needs, name])
  useEffect(() => setIcon(needs > 0 ? 'needs' : isUnread ? 'unread' : 'plain'), [needs, isUnread])
  useEffect(() => void setBadge(needs), [needs])
}

/** The icons' URLs change with their content, so the page's HTML provides them. */
function setIcon(state: 'plain' | 'needs' | 'unread'): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const place = link?.dataset[state]
  if (link !== null && place !== undefined) link.href = place
}

async function setBadge(needs: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  // Fails in an app that isn't installed.
  await (needs > 0 ? navigator.setAppBadge(needs) : navigator.clearAppBadge()).catch(() => {})
}
