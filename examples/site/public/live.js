import { livePreview } from '/preview.js';

livePreview({
  origin: document.querySelector('[data-console]').dataset.console,
  onChange({ fields }) {
    for (const element of document.querySelectorAll('[data-trivet-field]')) {
      const { trivetField: name } = element.dataset;
      element[name === 'body' ? 'innerHTML' : 'textContent'] = fields[name] ?? '';
    }
  },
});
