import { useState } from 'react';
import { Button } from '../../../parts/button';
import { moved } from '../../../parts/ordering/moved';
import { EditButtons } from '../../../parts/ordering/edit-buttons';
import { Row, Rows } from '../../../parts/rows';
import { type DraftBlock, newKey } from '../model/draft';
import { BlockDialog } from './block-dialog';
import { FieldList } from './field-list';
import styles from './fields.module.css';

interface BlockListProps {
  blocks: readonly DraftBlock[];
  /** The label of the field that they belong to. */
  of: string;
  onChange: (blocks: readonly DraftBlock[]) => void;
}

/** The kinds of items that a field with blocks offers, each with its fields. */
export function BlockList({ blocks, of, onChange }: BlockListProps) {
  const [edited, setEdited] = useState<{ readonly block?: DraftBlock }>();
  const change = (block: DraftBlock) => onChange(blocks.map((each) => (each.key === block.key ? block : each)));
  const save = (names: Pick<DraftBlock, 'name' | 'label'>) => {
    const block = { key: newKey(), fields: [], ...edited?.block, ...names };
    if (edited?.block) change(block);
    else onChange([...blocks, block]);
    setEdited(undefined);
  };
  return (
    <div className={styles.list}>
      <Rows label={`Blocks of ${of}`}>
        {blocks.map((block, index) => (
          <BlockItem
            key={block.key}
            block={block}
            onEdit={() => setEdited({ block })}
            onChange={change}
            onRemove={() => onChange(blocks.filter((each) => each !== block))}
            onUp={index > 0 ? () => onChange(moved(blocks, index, -1)) : undefined}
            onDown={index < blocks.length - 1 ? () => onChange(moved(blocks, index, 1)) : undefined}
          />
        ))}
      </Rows>
      <div>
        <Button aria-label={`Add block to ${of}`} onClick={() => setEdited({})}>
          Add block
        </Button>
      </div>
      {edited && (
        <BlockDialog
          block={edited.block}
          taken={blocks.filter((each) => each !== edited.block).map(({ name }) => name)}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

interface BlockItemProps {
  block: DraftBlock;
  onEdit: () => void;
  onChange: (block: DraftBlock) => void;
  onRemove: () => void;
  onUp?: () => void;
  onDown?: () => void;
}

function BlockItem({ block, onEdit, onChange, onRemove, onUp, onDown }: BlockItemProps) {
  const label = block.label?.trim() || block.name;
  return (
    <Row
      title={label}
      actions={<EditButtons name={`block ${label}`} {...{ onEdit, onRemove, onUp, onDown }} />}
      below={<FieldList fields={block.fields} inside={label} onChange={(fields) => onChange({ ...block, fields })} />}
    >
      Block · <code>{block.name}</code>
    </Row>
  );
}
