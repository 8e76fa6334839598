// Wraps React's JSX runtime to write out and mark invisible characters in any text. Every element is created here, so
// no screen can forget to, and the characters can't disguise a command that someone approves.

import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import * as react from 'react/jsx-runtime'
import { escapeUnseen, piecesOf } from './unseen.ts'

export type { JSX } from 'react'
export const { Fragment } = react

type Props = Record<string, unknown> & { children?: ReactNode }

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsx(type, shown(type, props), key)
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsxs(type, shown(type, props), key)
}

/** Attributes the browser shows or reads out. */
const SPOKEN = ['title', 'aria-label', 'alt']

function shown(type: ElementType, props: Props): Props {
  const children = marked(props.children, type === 'option')
  let seen = children === props.children ? props : { ...props, children }
  // A component gets its props unchanged, because it may send them to the server.
  if (typeof type === 'string')
    for (const name of SPOKEN) {
      const words = props[name]
      if (typeof words === 'string') {
        const told = escapeUnseen(words)
        if (told !== words) seen = { ...seen, [name]: told }
      }
    }
  return seen
}

/** In a string with more pieces than this, characters are written out but not marked, to keep the page fast. */
const MOST_PIECES = 400

function marked(node: ReactNode, isPlain: boolean): ReactNode {
  if (typeof node === 'string') {
    const pieces = piecesOf(node)
    if (pieces.length === 1) return node
    if (isPlain || pieces.length > MOST_PIECES) return pieces.join('')
    return pieces.map((piece, at) =>
      at % 2 === 0 ? piece : react.jsx('samp', { children: piece }, at),
    )
  }
  if (!Array.isArray(node)) return node
  const all = node.map((one) => marked(one, isPlain))
  return all.some((one, at) => one !== node[at]) ? all : node
}
