/** What an operation answers, as the API shows it, and what a tool adds. */
export interface ToolAnswer {
  /** One record, or those of a page. */
  data?: unknown;
  /** The entries that references lead to, by their IDs. */
  included?: Record<string, Members>;
  /** The texts and values that are not whole. */
  cut?: Cut[];
  /** How many records of the page, or included entries, are not shown. */
  left_out?: number;
  /** What a reader should know of the answer. */
  note?: string;
  [member: string]: unknown;
}

export type Members = Record<string, unknown>;

/** A text of which the beginning is shown, or a value that is not shown. */
export interface Cut {
  /** The public ID of the record. */
  id: string;
  /** The dotted path of the value. */
  field: string;
  /** Where to read on: the characters that are shown. */
  offset: number;
  /** The characters of the whole text, or of the value as JSON. */
  length: number;
}

/** What the schemas of results have besides the API's properties. */
export const ADDED_SCHEMAS = {
  cut: {
    type: 'array',
    description: 'Texts and values that are not whole. Read on with `field` and `offset`.',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        field: { type: 'string' },
        offset: { type: 'integer' },
        length: { type: 'integer' },
      },
      required: ['id', 'field', 'offset', 'length'],
      additionalProperties: false,
    },
  },
  left_out: { type: 'integer', description: 'Records of the page, or included entries, that are not shown.' },
  note: { type: 'string', description: 'What is not whole, and how to read the rest.' },
};
