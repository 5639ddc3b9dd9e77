import type { OpenAPIObject } from '@nestjs/swagger';
import { nameSchemas } from './schema-names.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const documentOf = (schemas: object) =>
  ({
    openapi: '3.1.0',
    info: {},
    paths: { '/': reference('EntryDto') },
    components: { schemas },
  }) as unknown as OpenAPIObject;

describe('nameSchemas', () => {
  it('drops the ending of the classes from the names of schemas and from references', () => {
    const renamed = nameSchemas(documentOf({ EntryDto: { items: [reference('AuthorDto')] }, AuthorDto: {} }));
    expect(renamed.components?.schemas).toEqual({ Entry: { items: [reference('Author')] }, Author: {} });
    expect(renamed.paths['/']).toEqual(reference('Entry'));
  });

  it('changes no other text, and not the document itself', () => {
    const document = documentOf({ EntryDto: { description: 'An EntryDto', example: 'MyDto' } });
    const before = JSON.stringify(document);
    expect(nameSchemas(document).components?.schemas).toEqual({
      Entry: { description: 'An EntryDto', example: 'MyDto' },
    });
    expect(JSON.stringify(document)).toBe(before);
  });

  it('refuses two schemas with the same name', () => {
    expect(() => nameSchemas(documentOf({ EntryDto: {}, Entry: {} }))).toThrow('Two schemas have the name Entry.');
  });
});
