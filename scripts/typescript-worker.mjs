/** The same as typescript.mjs for a worker thread in the tests, whose main thread does not have this loader. */
import { register } from 'node:module';

register(new URL('./typescript.mjs', import.meta.url).href);
