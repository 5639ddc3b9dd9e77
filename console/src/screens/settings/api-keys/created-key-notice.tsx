import type { CreatedKey } from '../../../api/keys';
import { Button } from '../../../parts/button';
import { Section } from '../../../parts/page';
import { ShownOnce } from '../../../parts/copying/shown-once';

interface CreatedKeyNoticeProps {
  created: CreatedKey;
  onClose: () => void;
}

/** The only sight of a key: it stays until the person puts it away. */
export function CreatedKeyNotice({ created: { key, name }, onClose }: CreatedKeyNoticeProps) {
  return (
    <Section
      title={`The key of ${name}`}
      about="It is shown only here. Keep it in a safe place."
      actions={<Button onClick={onClose}>I have kept it</Button>}
    >
      <ShownOnce label="Key" copyLabel="Copy key" text={key} />
    </Section>
  );
}
