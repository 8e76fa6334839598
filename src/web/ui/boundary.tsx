// A part of the page that fails to draw takes nothing else with it.

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
