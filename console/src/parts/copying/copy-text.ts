import { say } from '../status';

/** Copies a text, and says so. A page that was not loaded over https may not; then the person is told. */
export async function copyText(text: string, done = 'Copied.', failed = CANNOT): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(failed);
  }
}

const CANNOT = 'The browser does not let this page copy. Select the text, and copy it yourself.';
