import type { ReactNode } from 'react';
import type { ContentType } from '../../../api/content-types';
import type { Version } from '../../../api/entry-parts/history';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { When } from '../../../parts/when';
import { labelsOf } from './labels-of';
import { VersionFrame } from './version-frame';

interface VersionItemProps {
  type: ContentType;
  version: Version;
  /** It is what the entry is now. */
  isNewest: boolean;
  isOpen: boolean;
  onToggle: () => void;
  /** Missing for those who may not. */
  onRestore?: () => void;
  children: ReactNode;
}

const ACTIONS: Readonly<Record<Version['action'], string>> = {
  created: 'Created',
  updated: 'Changed',
  published: 'Published',
  unpublished: 'Unpublished',
  restored: 'Restored',
  scheduled: 'Carried out as scheduled',
};

export function VersionItem({ type, version, isNewest, isOpen, onToggle, onRestore, children }: VersionItemProps) {
  const { version: number, action, status, changed, by, at } = version;
  const fields = labelsOf(type, changed);
  return (
    <VersionFrame
      name={`Version ${number}`}
      badge={
        <>
          {isNewest && <Badge>Now</Badge>}
          <Badge look="quiet">{status === 'published' ? 'Published' : 'Draft'}</Badge>
        </>
      }
      about={
        <>
          {ACTIONS[action]}
          {by !== undefined && action !== 'scheduled' && (
            <>
              {' by '}
              <bdi>{by}</bdi>
            </>
          )}{' '}
          <When time={at} />
          {fields !== '' && action !== 'created' && (
            <>
              {': '}
              <bdi>{fields}</bdi>
            </>
          )}
        </>
      }
      isOpen={isOpen}
      onToggle={onToggle}
      action={onRestore && <Button onClick={onRestore}>Restore</Button>}
    >
      {children}
    </VersionFrame>
  );
}
