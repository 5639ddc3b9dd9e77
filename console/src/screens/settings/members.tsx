import { Page } from '../../parts/page';

export default function Screen() {
  return <Page title="members">soon</Page>;
}
