import type { FieldKind } from '../field-definition.js';

/** The component names of a kind: of a definition, of the name of a field, of a block, and the ending of the names of its types. */
export const COMPONENTS: Record<FieldKind, { definition: string; name: string; type: string; block: string }> = {
  content: { definition: 'FieldDefinition', name: 'FieldName', type: 'Field', block: 'BlockDefinition' },
  form: { definition: 'FormFieldDefinition', name: 'FormFieldName', type: 'FormField', block: 'FormBlockDefinition' },
};

/** Returns a reference to the component of a field definition. */
export function definitionReference(kind: FieldKind): { $ref: string } {
  return schemaReference(COMPONENTS[kind].definition);
}

/** Returns a reference to the component of a kind of block. */
export function blockReference(kind: FieldKind): { $ref: string } {
  return schemaReference(COMPONENTS[kind].block);
}

export function schemaReference(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}
