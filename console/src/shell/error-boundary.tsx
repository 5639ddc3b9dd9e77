import { Component, type ComponentType, type ReactNode } from 'react';
import { Button } from '../parts/button';

interface Props {
  /** The address: another one may show what this one cannot. */
  at?: string;
  /** What stands around the message. */
  frame: ComponentType<{ title: string; children: ReactNode }>;
  children: ReactNode;
}

/** Says that a page failed. After an update of the service, the files of the old one may be missing: loading again gets the new ones. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    const { frame: Frame, children } = this.props;
    if (this.state.error === undefined) return children;
    return (
      <Frame title="This page failed">
        <p>The service may have been updated since the page was opened. Load it again.</p>
        <div>
          <Button look="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
        </div>
      </Frame>
    );
  }
}
