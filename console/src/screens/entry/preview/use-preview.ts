import { createContext, type RefObject, useContext, useRef, useState } from 'react';
import type { ContentType } from '../../../api/content-types';
import { mayFor } from '../../../session/rights';
import { useOwnStorage } from '../../../session/own-storage';
import { useTenant } from '../../../shell/tenant';
import type { EditorState } from '../model/editor-state';
import { isRecord } from '../model/values';

/** How wide the site is shown. */
export type SiteWidth = 'phone' | 'tablet' | 'full';

/** What is shown where there is no space for both. */
export type PreviewView = 'form' | 'site';

interface Preview {
  /** The address of the site with braces; undefined if there is none, or the person may not make a preview link. */
  readonly template: string | undefined;
  readonly isOpen: boolean;
  readonly width: SiteWidth;
  readonly view: PreviewView;
  /** What opens it, to which the focus returns. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly open: () => void;
  readonly close: () => void;
  readonly show: (view: PreviewView) => void;
  readonly widen: (width: SiteWidth) => void;
}

export const PreviewContext = createContext<Preview | undefined>(undefined);

export function usePreview(): Preview {
  const preview = useContext(PreviewContext);
  if (!preview) throw new Error('There is no preview here.');
  return preview;
}

/** The choices of the live preview, which the browser keeps. A person who is led to a field is shown the form. */
export function useNewPreview(type: ContentType, led: EditorState['led']): Preview {
  const tenant = useTenant();
  const [kept, keep] = useOwnStorage('live preview', readChoice);
  const [view, show] = useState<PreviewView>('form');
  const [seen, setSeen] = useState(led);
  const button = useRef<HTMLButtonElement>(null);
  if (led !== seen) {
    setSeen(led);
    show('form');
  }
  const mayPreview = mayFor(tenant, 'content:draft', type) && mayFor(tenant, 'content:read', type);
  const template = mayPreview ? type.preview_url : undefined;
  return {
    ...{ template, view, show, button },
    isOpen: kept.isOpen && template !== undefined,
    width: kept.width,
    open: () => {
      keep({ ...kept, isOpen: true });
      show('site');
    },
    close: () => {
      keep({ ...kept, isOpen: false });
      show('form');
      button.current?.focus();
    },
    widen: (width) => keep({ ...kept, width }),
  };
}

interface Choice {
  readonly isOpen: boolean;
  readonly width: SiteWidth;
}

function readChoice(stored: unknown): Choice {
  const { isOpen, width } = isRecord(stored) ? stored : {};
  return { isOpen: isOpen === true, width: width === 'phone' || width === 'tablet' ? width : 'full' };
}
