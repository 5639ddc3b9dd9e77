import { useCallback } from 'react';
import type { BlockDefinition } from '../../../api/content-types';
import { Button } from '../../../parts/button';
import buttons from '../../../parts/button.module.css';
import { classNames } from '../../../parts/class-names';
import { Menu, MenuItem } from '../../../parts/menu';
import { isRecord } from '../model/values';
import { useReadOnly } from '../use-read-only';
import { Cards, type Kind } from './cards';
import type { FieldProps } from './field-frame';
import { FieldGroup } from './field-group';
import { useList } from './use-list';

const MAX_ITEMS = 1_000;

/** A list of blocks of several kinds, in any order. */
export function BlocksField({ definition, path }: FieldProps) {
  const isReadOnly = useReadOnly();
  const list = useList(path);
  const { blocks = [] } = definition;
  const kindOf = useCallback((item: unknown) => kindIn(blocks, item), [blocks]);
  const canAdd = !isReadOnly && list.keys.length < MAX_ITEMS;
  return (
    <FieldGroup definition={definition} path={path}>
      <Cards list={list} path={path} kindOf={kindOf} />
      {canAdd && <div>{<AddBlock blocks={blocks} onAdd={({ name }) => list.add({ block: name })} />}</div>}
    </FieldGroup>
  );
}

interface AddBlockProps {
  blocks: readonly BlockDefinition[];
  onAdd: (block: BlockDefinition) => void;
}

function AddBlock({ blocks, onAdd }: AddBlockProps) {
  const [first, ...others] = blocks;
  if (first && others.length === 0) {
    return (
      <Button data-add onClick={() => onAdd(first)}>
        Add block
      </Button>
    );
  }
  return (
    <Menu name="Add block" face="Add block" className={classNames(buttons.button, buttons.secondary)}>
      {blocks.map((block) => (
        <MenuItem key={block.name} onSelect={() => onAdd(block)}>
          <bdi>{blockLabel(block)}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}

function kindIn(blocks: readonly BlockDefinition[], item: unknown): Kind {
  const name = isRecord(item) && typeof item['block'] === 'string' ? item['block'] : 'Block';
  const block = blocks.find((each) => each.name === name);
  return block ? { label: blockLabel(block), fields: block.fields } : { label: name, fields: [] };
}

function blockLabel({ label, name }: BlockDefinition): string {
  return label?.trim() || name;
}
