import { Redirects1764000000000 } from './migrations/1764000000000-redirects.js';
import { Redirect } from './redirect.entity.js';

export const entities = [Redirect];

export const migrations = [Redirects1764000000000];
