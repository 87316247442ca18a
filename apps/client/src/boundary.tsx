import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown; another one is tried anew. */
  of: unknown;
  otherwise: ReactNode;
  children: ReactNode;
}

/** Shows something else where what it holds could not be drawn. */
export class Boundary extends Component<Props, { of?: unknown; broken?: boolean }> {
  override state: { of?: unknown; broken?: boolean } = {};

  static getDerivedStateFromProps({ of }: Props, state: { of?: unknown }) {
    return of === state.of ? null : { of, broken: false };
  }

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? this.props.otherwise : this.props.children;
  }
}
