import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { SiteWidth } from './use-preview';

/** CSS pixels, as the site sees them. */
const WIDTHS = { phone: 390, tablet: 820 } as const;

/** How a site of this width is drawn in the space that there is: smaller, if it is wider. */
export function useScale(width: SiteWidth): { stage: RefObject<HTMLDivElement | null>; style: CSSProperties } {
  const stage = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(0);
  useLayoutEffect(() => {
    const place = stage.current;
    if (!place) return undefined;
    const measure = () => setSpace(place.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    measure();
    return () => observer.disconnect();
  }, []);
  return { stage, style: width === 'full' || space === 0 ? {} : styleOf(WIDTHS[width], space) };
}

function styleOf(width: number, space: number): CSSProperties {
  if (width <= space) return { inlineSize: width };
  const scale = space / width;
  return { inlineSize: width, blockSize: `${100 / scale}%`, transform: `scale(${scale})` };
}
