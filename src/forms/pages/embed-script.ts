/**
 * `<script src="…/f/embed.js" data-form="ten_x/contact"></script>` puts the form where the script is. The frame asks for its height at each
 * page that it loads, and listens only to that frame and that origin.
 */
export const EMBED_SCRIPT = `'use strict';
(() => {
  const script = document.currentScript;
  const form = script?.dataset.form ?? '';
  if (!/^ten_[a-z0-9]{1,40}\\/[A-Za-z0-9_-]{1,100}$/.test(form)) {
    console.error('Trivet: data-form must be like ten_demo/contact.');
    return;
  }
  const source = new URL(form + '?embed=1', script.src);
  const frame = document.createElement('iframe');
  frame.title = script.dataset.title ?? 'Form';
  frame.style.width = '100%';
  frame.style.height = '30rem';
  frame.style.border = '0';
  let loads = 0;
  frame.addEventListener('load', () => {
    frame.contentWindow.postMessage({ trivet: 'embedded' }, source.origin);
    if (++loads > 1 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  window.addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow || event.origin !== source.origin || event.data?.trivet !== 'size') return;
    const { height, title } = event.data;
    if (Number.isFinite(height) && height >= 0) frame.style.height = Math.min(height, 20000) + 'px';
    if (script.dataset.title === undefined && typeof title === 'string') frame.title = title;
  });
  frame.src = source.href;
  script.after(frame);
})();
`;
