import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button';
import { CardPage } from '../parts/card-page';

interface Props {
  children: ReactNode;
}

/** Says that a page failed. After an update of the service, the files of the old one may be missing: loading again gets the new ones. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <CardPage title="This page failed">
        <p>The service may have been updated since it was opened. Load it again.</p>
        <Button look="primary" isWide onClick={() => window.location.reload()}>
          Load again
        </Button>
      </CardPage>
    );
  }
}
