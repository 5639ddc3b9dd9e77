export default {
  entries: {
    input: { target: './document.json' },
    output: {
      target: './orval/client.ts',
      mode: 'single',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
};
