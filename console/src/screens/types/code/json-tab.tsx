import { CodeBox } from '../../../parts/copying/code-box';
import { CopyButton } from '../../../parts/copying/copy-button';
import { Section } from '../../../parts/page';
import { createBody, type TypeDraft } from '../model/draft';

/** The type as creating it would send it, with the changes that are not applied yet. */
export function JsonTab({ draft }: { draft: TypeDraft }) {
  const text = JSON.stringify(createBody(draft), undefined, 2);
  return (
    <Section
      title="The type as JSON"
      about="With what you have changed. A program can create the same type from it."
      actions={<CopyButton label="Copy" text={text} />}
    >
      <CodeBox label="JSON" text={text} />
    </Section>
  );
}
