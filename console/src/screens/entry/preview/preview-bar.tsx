import { Button } from '../../../parts/button';
import buttons from '../../../parts/button.module.css';
import { classNames } from '../../../parts/class-names';
import styles from './preview.module.css';
import { PreviewIcon } from './preview-icon';
import { type SiteWidth, usePreview } from './use-preview';

const WIDTHS: readonly (readonly [SiteWidth, string])[] = [
  ['phone', 'Phone'],
  ['tablet', 'Tablet'],
  ['full', 'Full width'],
];

interface PreviewBarProps {
  /** Undefined: no site is shown. */
  url?: string | undefined;
  onReload?: () => void;
}

/** How the site is shown. */
export function PreviewBar({ url, onReload }: PreviewBarProps) {
  const { width, widen, close } = usePreview();
  const icon = classNames(buttons.button, buttons.quiet, styles.icon);
  return (
    <div className={styles.bar}>
      <div role="group" aria-label="Width of the site" className={classNames(styles.choices, styles.widths)}>
        {WIDTHS.map(([each, name]) => (
          <button
            key={each}
            type="button"
            className={styles.choice}
            aria-pressed={width === each}
            onClick={() => widen(each)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className={styles.tools}>
        {url !== undefined && (
          <>
            <Button look="quiet" className={styles.icon} aria-label="Reload" title="Reload" onClick={onReload}>
              <PreviewIcon name="reload" />
            </Button>
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              className={icon}
              aria-label="Open in a new tab"
              title="Open in a new tab"
            >
              <PreviewIcon name="open" />
            </a>
          </>
        )}
        <Button look="quiet" className={styles.icon} aria-label="Close preview" title="Close preview" onClick={close}>
          <PreviewIcon name="close" />
        </Button>
      </div>
    </div>
  );
}
