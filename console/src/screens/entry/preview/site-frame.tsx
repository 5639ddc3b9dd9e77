import { useRef } from 'react';
import { CONSOLE } from '../../../base';
import { useTenant } from '../../../shell/tenant';
import styles from './preview.module.css';
import { siteOf } from './preview-address';
import { useSiteMessages } from './use-site-messages';
import type { SiteWidth } from './use-preview';
import { useScale } from './use-scale';

interface SiteFrameProps {
  url: string;
  width: SiteWidth;
  turn: unknown;
  onRefused: (origin: string) => void;
}

/** The site, framed by a page of the console that may frame it. */
export function SiteFrame({ url, width, turn, onRefused }: SiteFrameProps) {
  const { id } = useTenant();
  const frame = useRef<HTMLIFrameElement>(null);
  const { stage, style } = useScale(width);
  useSiteMessages({ frame, url, turn, onRefused });
  const query = new URLSearchParams({ tenant: id, site: siteOf(url) });
  return (
    <div ref={stage} className={styles.stage} data-width={width}>
      <iframe
        ref={frame}
        className={styles.frame}
        style={style}
        title="Preview of the site"
        src={`${CONSOLE}/preview-frame?${query}`}
      />
    </div>
  );
}
