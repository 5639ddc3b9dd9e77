/**
 * `<script src="…/f/embed.js" data-form="ten_x/contact"></script>` puts the form where the script is. The frame asks for its height at each
 * page that it loads, and listens only to that frame and that origin. Its colours are those of `data-theme`, or of the page around it: `auto` are
 * those that the visitor prefers.
 */
export const EMBED_SCRIPT = `'use strict';
(() => {
  const script = document.currentScript;
  const form = script?.dataset.form ?? '';
  if (!/^ten_[a-z0-9]{1,40}\\/[A-Za-z0-9_-]{1,100}$/.test(form)) {
    console.error('Trivet: data-form must be like ten_demo/contact.');
    return;
  }
  // A canvas knows every way to write a color. Undefined if it is transparent.
  const isDark = (color) => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) return undefined;
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha < 128 ? undefined : 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  };
  const themeOfPage = () => {
    for (let element = script.parentElement; element; element = element.parentElement) {
      const dark = isDark(getComputedStyle(element).backgroundColor);
      if (dark !== undefined) return dark ? 'dark' : 'light';
    }
    const schemes = getComputedStyle(document.documentElement).colorScheme.split(' ');
    if (!schemes.includes('dark')) return 'light';
    return schemes.includes('light') ? undefined : 'dark';
  };
  const { theme: wanted } = script.dataset;
  const theme = wanted === undefined ? themeOfPage() : wanted === 'light' || wanted === 'dark' ? wanted : undefined;
  const source = new URL(form + '?embed=1' + (theme ? '&theme=' + theme : ''), script.src);
  const frame = document.createElement('iframe');
  // Until the page tells its title.
  frame.title = script.dataset.title ?? form.split('/')[1];
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
