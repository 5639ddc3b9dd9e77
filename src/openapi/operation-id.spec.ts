import { operationId } from './operation-id.js';

describe('operationId', () => {
  it.each([
    ['EntriesController', 'list', 'listEntries'],
    ['EntriesController', 'get', 'getEntry'],
    ['ContentTypesController', 'create', 'createContentType'],
    ['MediaController', 'upload', 'uploadMedia'],
    ['MediaController', 'list', 'listMedia'],
  ])('joins the handler of %s named %s and its noun', (controller, handler, id) => {
    expect(operationId(controller, handler)).toBe(id);
  });

  it('is the name of a handler that names its noun itself', () => {
    expect(operationId('ExchangeController', 'exportEntries')).toBe('exportEntries');
  });
});
