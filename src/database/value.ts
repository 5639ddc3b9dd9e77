export type Value = string | number | boolean | null | Date | readonly (string | number | null)[];
