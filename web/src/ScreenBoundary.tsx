import { Component, type ReactNode } from 'react';
import { ErrorScreen } from './ErrorScreen.tsx';

type BoundaryProps = { children: ReactNode };

/** Shows that a screen broke, in its place. React catches errors in classes only. */
export class ScreenBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => this.setState({ error: null });

  override render() {
    if (this.state.error === null) return this.props.children;
    return <ErrorScreen error={this.state.error} onRetry={this.retry} />;
  }
}
