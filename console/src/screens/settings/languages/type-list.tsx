import { Fragment } from 'react';
import { Link } from 'wouter';
import type { ContentType } from '../../../api/content-types';

/** Content types by their names, each with a link to its fields: `Article, Product`. */
export function TypeList({ types }: { types: readonly ContentType[] }) {
  return types.map(({ slug, name }, index) => (
    <Fragment key={slug}>
      {index > 0 && ', '}
      <Link href={`/types/${slug}`} dir="auto">
        {name}
      </Link>
    </Fragment>
  ));
}
