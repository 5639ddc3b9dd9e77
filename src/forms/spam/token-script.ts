import { PROVE_SCRIPT } from '../pages/challenge-script.js';

/**
 * `<script src="…/f/token.js"></script>` adds `_t` to the forms of any page that are sent to this service, and solves the challenge of those
 * that ask for it (`_altcha`). Without a response, a form is sent without them.
 */
export const TOKEN_SCRIPT = `'use strict';
(() => {
  ${PROVE_SCRIPT}
  const service = new URL(document.currentScript.src).origin;
  const fieldOf = (form, name) => {
    const known = form.querySelector('input[name="' + name + '"]');
    const field = known ?? document.createElement('input');
    // Browsers restore no proof that was used.
    Object.assign(field, { type: 'hidden', name, autocomplete: 'off' });
    if (!known) form.append(field);
    return field;
  };
  const fill = async (form) => {
    const url = new URL(form.getAttribute('action') ?? '', document.baseURI);
    if (url.origin !== service || !/\\/v1\\/forms\\/[^/]+\\/[^/]+\\/submissions\\/?$/.test(url.pathname)) return;
    const response = await fetch(new URL('challenge', url.href.replace(/\\/+$/, '')));
    if (!response.ok) return;
    const { required, _t: token } = await response.json();
    fieldOf(form, '_t').value = token;
    if (required) prove(form, fieldOf(form, '_altcha'), { say: () => undefined, sendsUnproven: true });
  };
  const fillAll = () => {
    for (const form of document.forms) fill(form).catch(() => undefined);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fillAll);
  else fillAll();
})();
`;
