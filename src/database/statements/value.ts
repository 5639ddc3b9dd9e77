export type Value = string | number | boolean | null | Date | Buffer | readonly (string | number | null)[];
