/**
 * Solves the challenge of a form, and writes the proof into its field `proof`. It begins when the visitor does, and sends the form when the
 * proof is there. A proof counts once and for ten minutes, so it is computed again before a later submission. Keys are derived by the browser,
 * or, on pages without https, where browsers offer no Web Crypto, by the script in slices that leave the page usable. `say` hears how far it
 * is: `checking`, `checked`, `waits` or `failed`. A form whose challenge could not be solved is sent only if `sendsUnproven` is true.
 */
export const PROVE_SCRIPT = `const prove = (form, proof, { say, sendsUnproven }) => {
  const token = form.querySelector('input[name="_t"]');
  const url = new URL('challenge', new URL(form.getAttribute('action'), document.baseURI).href.replace(/\\/+$/, ''));
  const shownAt = Date.now();
  const TOKEN_MS = 12 * 3600000;
  const FETCH_MS = 20000;
  const VALID_MS = 600000;
  const SPARE_MS = 15000;
  const SLICE_MS = 12;
  const MAX_COUNTER = 10000;

  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const rest = () => new Promise((done) => setTimeout(done));

  const byBrowser = async (password, salt, cost) => {
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    return new Uint8Array(
      await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: cost }, key, 256),
    );
  };

  // PBKDF2 with SHA-256 (RFC 8018, FIPS 180-4) for passwords and salts of less than a block. Its result is one block long.
  const byScript = (() => {
    const primes = [];
    for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
    const fraction = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
    const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
    const FIRST = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
    const w = new Int32Array(64);
    const turn = (x, by) => (x >>> by) | (x << (32 - by));
    const compress = (from, to) => {
      for (let i = 16; i < 64; i++) {
        const x = w[i - 15];
        const y = w[i - 2];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      let a = from[0], b = from[1], c = from[2], d = from[3], e = from[4], f = from[5], g = from[6], h = from[7];
      for (let i = 0; i < 64; i++) {
        const p = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const q = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + p) | 0; d = c; c = b; b = a; a = (p + q) | 0;
      }
      to[0] = from[0] + a; to[1] = from[1] + b; to[2] = from[2] + c; to[3] = from[3] + d;
      to[4] = from[4] + e; to[5] = from[5] + f; to[6] = from[6] + g; to[7] = from[7] + h;
    };
    const wordsOf = (bytes) => {
      const view = new DataView(new ArrayBuffer(64));
      bytes.forEach((byte, at) => view.setUint8(at, byte));
      return Int32Array.from({ length: 16 }, (_, at) => view.getInt32(at * 4));
    };
    // A message after the block of the key: its end is marked, and its length in bits is the last word.
    const messageOf = (bytes) => {
      const words = wordsOf([...bytes, 128]);
      words[15] = (64 + bytes.length) * 8;
      return words;
    };
    const inner = new Int32Array(8), outer = new Int32Array(8), hash = new Int32Array(8), sum = new Int32Array(8);
    return (password, salt, cost) => {
      const key = wordsOf(password);
      w.set(key.map((word) => word ^ 0x36363636));
      compress(FIRST, inner);
      w.set(key.map((word) => word ^ 0x5c5c5c5c));
      compress(FIRST, outer);
      const next = messageOf(new Uint8Array(32));
      w.set(messageOf([...salt, 0, 0, 0, 1]));
      sum.fill(0);
      for (let round = 0; round < cost; round++) {
        if (round > 0) { w.set(next); w.set(hash); }
        compress(inner, hash);
        w.set(next);
        w.set(hash);
        compress(outer, hash);
        for (let i = 0; i < 8; i++) sum[i] ^= hash[i];
      }
      const result = new DataView(new ArrayBuffer(32));
      sum.forEach((word, at) => result.setInt32(at * 4, word));
      return new Uint8Array(result.buffer);
    };
  })();

  const solve = async ({ algorithm, nonce, salt, cost, keyPrefix, keyLength }) => {
    if (algorithm !== 'PBKDF2/SHA-256' || keyLength !== 32) throw new Error('The challenge is of an unknown kind.');
    const derive = window.crypto && crypto.subtle ? byBrowser : byScript;
    const saltBytes = bytesOf(salt);
    const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0]);
    const view = new DataView(password.buffer);
    const startedAt = Date.now();
    let restedAt = startedAt;
    for (let counter = 0; counter <= MAX_COUNTER; counter++) {
      view.setUint32(password.length - 4, counter);
      const derivedKey = hexOf(await derive(password, saltBytes, cost));
      if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey, time: Date.now() - startedAt };
      if (Date.now() - restedAt < SLICE_MS) continue;
      await rest();
      restedAt = Date.now();
    }
    throw new Error('The challenge has no solution.');
  };

  let usableUntil = 0;
  const fetchAndSolve = async () => {
    const signal = AbortSignal.timeout ? AbortSignal.timeout(FETCH_MS) : undefined;
    const response = await fetch(url, { cache: 'no-store', credentials: 'omit', signal });
    // The answer to the submission says that there is no such form.
    if (response.status === 404) return Date.now() + SPARE_MS;
    if (!response.ok) throw new Error('The challenge was refused: ' + response.status);
    const receivedAt = Date.now();
    const { parameters, signature, _t: time } = await response.json();
    // The clock of this computer may be wrong, and another site cannot read that of the service.
    const validMs = parameters.expiresAt * 1000 - Date.parse(response.headers.get('Date')) || VALID_MS;
    const solution = await solve(parameters);
    proof.value = btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
    if (token && receivedAt - shownAt > TOKEN_MS) token.value = time;
    return receivedAt + validMs - SPARE_MS;
  };
  let running;
  const start = () => {
    if (running) return running;
    say('checking');
    running = fetchAndSolve().then((until) => { usableUntil = until; say('checked'); });
    const end = () => { running = undefined; };
    running.then(end, end);
    return running;
  };
  const begin = () => { if (Date.now() >= usableUntil) start().catch(() => say('')); };
  const spend = () => { usableUntil = 0; proof.value = ''; };

  form.addEventListener('focusin', begin, { once: true });
  form.addEventListener('input', begin, { once: true });
  let isWaiting = false;
  const send = (submitter) => {
    isWaiting = false;
    HTMLFormElement.prototype.requestSubmit.call(form, submitter);
  };
  // Before the listeners of the page, which may send the form themselves.
  form.addEventListener('submit', (event) => {
    if (Date.now() < usableUntil) {
      setTimeout(spend);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isWaiting) return;
    isWaiting = true;
    proof.value = '';
    const { submitter } = event;
    const proven = start();
    say('waits');
    proven
      .then(() => send(submitter))
      .catch(() => {
        isWaiting = false;
        say('failed');
        if (!sendsUnproven) return;
        usableUntil = Date.now() + SPARE_MS;
        send(submitter);
      });
  }, true);
  // The page is shown again after the proof was used.
  window.addEventListener('pageshow', (event) => { if (event.persisted) spend(); });
};
`;

/** The part of the page's script that solves the challenge of the form (`_altcha`), and tells the visitor how far it is. */
export const CHALLENGE_SCRIPT = `(() => {
  ${PROVE_SCRIPT}
  const proof = document.querySelector('input[name="_altcha"]');
  if (!proof) return;
  const status = document.getElementById('proof.status');
  prove(proof.form, proof, { say: (state) => { status.textContent = status.dataset[state] ?? ''; }, sendsUnproven: false });
})();
`;
