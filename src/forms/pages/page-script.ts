import { CHALLENGE_SCRIPT } from './challenge-script.js';

/**
 * In a frame, the page tells the page around it how high it is: only after that page has asked, and only to the origin that asked. The policy
 * of the page allows only the origins that may embed the form.
 */
const FRAME_SCRIPT = `(() => {
  if (window.parent === window) return;
  let origin;
  const tell = () => {
    if (origin === undefined) return;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    window.parent.postMessage({ trivet: 'size', height, title: document.title }, origin);
  };
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent || event.data?.trivet !== 'embedded' || event.origin === 'null') return;
    origin = event.origin;
    tell();
  });
  new ResizeObserver(tell).observe(document.documentElement);
})();
`;

/** The script of the pages of a form. */
export const PAGE_SCRIPT = `'use strict';\n${CHALLENGE_SCRIPT}${FRAME_SCRIPT}`;
