/** What people add to a common password. */
const ADDITION = /[^\p{L}]{1,4}$/u;
/** A text of fewer different characters is guessed however long it is. */
const MIN_DISTINCT = 4;

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether the password is one of about 50,000 that are tried first, perhaps with a few digits or punctuation marks at its end. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const form = password.toLowerCase();
  if (new Set(form).size < MIN_DISTINCT) return true;
  list ??= load();
  const common = await list;
  return common.has(form) || common.has(form.replace(ADDITION, ''));
}

/** The list takes megabytes, so it is loaded when the first password is chosen. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
