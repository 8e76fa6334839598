// This browser may keep things from the page; here is what happens instead.

type Lack = { what: string; instead: string }

export function missingHere(): Lack[] {
  const have: [boolean, Lack][] = [
    [
      isSecureContext && 'Notification' in globalThis,
      {
        what: 'Desktop notifications',
        instead: 'The title and the icon of the tab show what needs you; sound works.',
      },
    ],
    [
      'setAppBadge' in navigator,
      { what: 'A badge on the app’s icon', instead: 'The title of the tab has the number.' },
    ],
    [
      navigator.clipboard !== undefined,
      {
        what: 'Copying by a button',
        instead: 'Copy marks the text, and you copy it by the keyboard.',
      },
    ],
    [
      navigator.locks !== undefined,
      {
        what: 'One connection for all tabs',
        instead: 'Each tab listens for itself while you see it.',
      },
    ],
  ]
  return have.flatMap(([isThere, missing]) => (isThere ? [] : [missing]))
}
