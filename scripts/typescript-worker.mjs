/** The same as typescript.mjs for a worker thread of the tests, whose main thread has no such loader. */
import { register } from 'node:module';

register(new URL('./typescript.mjs', import.meta.url).href);
