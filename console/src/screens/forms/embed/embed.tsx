import { useState } from 'react';
import type { FormDetail } from '../../../api/forms';
import { BASE } from '../../../base';
import { CodeBox } from '../../../parts/copying/code-box';
import { CopyButton } from '../../../parts/copying/copy-button';
import { Section } from '../../../parts/page';
import { Select } from '../../../parts/fields/select';
import { useTenant } from '../../../shell/tenant';
import styles from './embed.module.css';
import { htmlFormOf } from './html-form';

/** How the form gets into a website: what to copy, and the form's own page. */
export function Embed({ form }: { form: FormDetail }) {
  const tenant = useTenant();
  const [chosen, setChosen] = useState(0);
  const service = new URL(`${BASE}/`, window.location.href).href.replace(/\/$/, '');
  const page = `${service}/f/${tenant.id}/${form.slug}`;
  const ways = [
    {
      name: 'In any page, by a script',
      help: 'One line where the form shall be. It has the size of its content and the colours of the page.',
      text: `<script src="${service}/f/embed.js" data-form="${tenant.id}/${form.slug}"></script>`,
    },
    {
      name: 'As HTML of your own',
      help: 'A form that you style yourself. Its values arrive without a script, too.',
      text: htmlFormOf(form, { service, tenantId: tenant.id }),
    },
    { name: 'As a link', help: 'The form has a page of its own, ready to be linked.', text: page },
  ];
  const { help, text } = ways[chosen] ?? { help: '', text: '' };
  return (
    <Section title="Put it into a website" about={help}>
      <Select label="How" value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
        {ways.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </Select>
      <CodeBox label="To copy" text={text} />
      <div className={styles.actions}>
        <CopyButton look="primary" label="Copy" text={text} />
        <a href={page} target="_blank" rel="noreferrer">
          Open the page of the form
        </a>
      </div>
    </Section>
  );
}
