import { describeDatabase } from './describe-database.js';

describe('the description of a database', () => {
  it.each([
    ['postgres://trivet:secret@db.example:6432/cms', 'cms at db.example:6432'],
    ['postgresql://trivet:secret@localhost/cms?sslmode=disable', 'cms at localhost:5432'],
    ['postgres://trivet:secret@[::1]:5433/cms', 'cms at [::1]:5433'],
    ['postgres://trivet:secret@/cms?host=/run/postgresql', 'cms at /run/postgresql:5432'],
  ])('of %s has its name, host and port, and no password', (url, description) => {
    expect(describeDatabase(url)).toBe(description);
  });
});
