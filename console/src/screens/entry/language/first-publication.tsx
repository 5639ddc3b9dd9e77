import { localeName } from '../../../locales/use-locales';
import { Confirm } from '../../../parts/confirm';
import { useEditor } from '../use-editor';
import { useEntryLanguage } from './entry-language';

/** An entry becomes public in the default language first, which whoever publishes another one should know. */
export function FirstPublication({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const language = useEntryLanguage();
  if (!language) return null;
  const { name, code, locales } = language;
  const standard = localeName(locales, locales.default);
  return (
    <Confirm
      title={`Publish ${standard} too?`}
      action={`Publish ${standard} and ${name}`}
      look="primary"
      onConfirm={() => editor.publish([locales.default, code])}
      onDone={() => undefined}
      onClose={onClose}
    >
      This entry is not public yet. It becomes public in the default language, <bdi>{standard}</bdi>, and in{' '}
      <bdi>{name}</bdi>.
    </Confirm>
  );
}
