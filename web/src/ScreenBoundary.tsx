import { Component, type ReactNode } from 'react';
import { StumbledScreen } from './StumbledScreen.tsx';

type BoundaryProps = { children: ReactNode };

/** Shows that a screen broke, in its place. React catches errors in classes only. */
export class ScreenBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <StumbledScreen error={this.state.error} />;
  }
}
