// Keeps an error in one part of the page from breaking the rest.

import { Component, type ReactNode } from 'react'

type BoundaryProps = { children: ReactNode; otherwise: ReactNode }

export class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? this.props.otherwise : this.props.children
  }
}
