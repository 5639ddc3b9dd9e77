import { Page } from '../../parts/page';

export default function Screen() {
  return <Page title="roles">soon</Page>;
}
