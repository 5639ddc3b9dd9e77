import { useState } from 'react';
import { Button } from '../parts/button';
import { Dialog, DialogButtons } from '../parts/dialog';
import { Form } from '../parts/form';
import { Row, Rows } from '../parts/rows';
import { say } from '../parts/status';
import { TextField } from '../parts/fields/text-field';
import { MAX_VIEW_NAME, type SavedView } from './saved-views';

interface SaveViewProps {
  /** The query of the address that shows what is shown. */
  query: string;
  views: readonly SavedView[];
  onSave: (view: SavedView) => void;
  onRemove: (name: string) => void;
  onClose: () => void;
}

/** Gives a name to what the list shows. This browser keeps it, and its link shows it to others. */
export function SaveView({ query, views, onSave, onRemove, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const save = () => {
    const given = name.trim();
    if (given === '') return setFault('Give the view a name.');
    onSave({ name: given, query });
    say(`The view ${given} was saved in this browser.`);
    onClose();
  };
  return (
    <Dialog title="Save view" isOpen onClose={onClose}>
      <p>This browser keeps the search, the filter, the order and the columns. For others, copy the link.</p>
      <Form onSubmit={save}>
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={MAX_VIEW_NAME}
          value={name}
          error={fault}
          onChange={({ target }) => setName(target.value)}
        />
        {views.length > 0 && (
          <Rows>
            {views.map((view) => (
              <Row
                key={view.name}
                title={view.name}
                actions={
                  <Button aria-label={`Remove ${view.name}`} onClick={() => onRemove(view.name)}>
                    Remove
                  </Button>
                }
              >
                Saved in this browser
              </Row>
            ))}
          </Rows>
        )}
        <DialogButtons>
          <Button type="submit" look="primary">
            Save
          </Button>
          <Button onClick={() => void copyLink(query)}>Copy link</Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

async function copyLink(query: string): Promise<void> {
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}${query === '' ? '' : `?${query}`}`;
  try {
    await navigator.clipboard.writeText(link);
    say('The link was copied.');
  } catch {
    say('The browser did not allow to copy the link. Copy the address of the page.');
  }
}
