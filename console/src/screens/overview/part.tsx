import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Loading } from '../../parts/loading';
import { Section } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import styles from './overview.module.css';

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface PartProps<T> {
  title: string;
  /** Each part is asked for, and fails, by itself. */
  query: Asked<T>;
  /** Where all of it is. */
  more?: { readonly href: string; readonly name: string };
  children: (data: T) => ReactNode;
}

/** A part of the overview. */
export function Part<T>({ title, query: { data, error, isPending, refetch }, more, children }: PartProps<T>) {
  const link = more && (
    <Link href={more.href} className={styles.more}>
      {more.name}
    </Link>
  );
  return (
    <Section title={title} actions={link}>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data !== undefined && children(data)}
    </Section>
  );
}

interface NothingProps {
  /** Where to do what comes next. */
  href: string;
  /** What comes next. */
  next: string;
  children: ReactNode;
}

/** There is nothing to show, and something to do. */
export function Nothing({ href, next, children }: NothingProps) {
  return (
    <div className={styles.nothing}>
      <p>{children}</p>
      <Link href={href}>{next}</Link>
    </div>
  );
}

interface ItemProps {
  href: string;
  title: string;
  /** A line about it. */
  about: ReactNode;
  children?: ReactNode;
}

/** One of a few things, with the link to it. */
export function Item({ href, title, about, children }: ItemProps) {
  return (
    <li className={styles.item}>
      <Link href={href} className={styles.title} dir="auto">
        {title}
      </Link>
      <span className={styles.about}>{about}</span>
      {children}
    </li>
  );
}

export function Items({ children }: { children: ReactNode }) {
  return <ul className={styles.items}>{children}</ul>;
}
