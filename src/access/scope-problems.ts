import { Problem } from '../errors/problem.js';

/** The most limited scope comes last in the rule. A key's own scopes are no secret to its holder. */
export function lacksScope(allowed: readonly string[], own: ReadonlySet<string>): Problem {
  const [narrowest = '', ...wider] = [...allowed].reverse();
  const others = wider.length > 0 ? ` (or ${wider.join(' or ')})` : '';
  return new Problem(
    'forbidden',
    `This request lacks the scope ${narrowest}${others}. It has only ${[...own].join(', ')}.`,
  );
}

/** The same for a content type that does not exist and for one that the key is not limited to. */
export function otherType(own: ReadonlySet<string>): Problem {
  return new Problem(
    'forbidden',
    `This request may concern some content types only, and this is not one of them. It has only ${[...own].join(', ')}.`,
  );
}
