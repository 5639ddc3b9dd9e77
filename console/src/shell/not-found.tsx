import { Link } from 'wouter';
import { Page } from '../parts/page';
import { useTenant } from './tenant';

export function NotFound() {
  const { name } = useTenant();
  return (
    <Page title="There is no such page">
      <p>
        The address may be misspelt, or what it led to was deleted. <Link href="">Go to the start of {name}</Link>.
      </p>
    </Page>
  );
}
