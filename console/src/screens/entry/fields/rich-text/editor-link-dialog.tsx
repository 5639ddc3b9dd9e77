import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Button } from '../../../../parts/button';
import { Dialog, DialogButtons } from '../../../../parts/dialog';
import { Form } from '../../../../parts/form';
import { TextField } from '../../../../parts/fields/text-field';

/** Addresses that a link may lead to: a scheme such as `javascript:` is none. */
const ADDRESS = /^(https?:|mailto:|tel:|[/#?])/i;

export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const before = editor.getAttributes('link')['href'] as unknown;
  const [address, setAddress] = useState(typeof before === 'string' ? before : '');
  const [error, setError] = useState<string>();
  const chain = () => editor.chain().focus().extendMarkRange('link');
  const set = () => {
    if (!ADDRESS.test(address.trim())) return setError('Enter an address that begins with https://, mailto: or /.');
    const { empty } = editor.state.selection;
    onClose();
    if (empty && before === undefined) {
      const text = { type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href: address.trim() } }] };
      chain().insertContent(text).run();
    } else chain().setLink({ href: address.trim() }).run();
  };
  return (
    <Dialog title="Link" isOpen onClose={onClose}>
      <Form onSubmit={set}>
        <TextField
          label="Address"
          value={address}
          {...(error !== undefined && { error })}
          onChange={({ target }) => setAddress(target.value)}
        />
        <DialogButtons>
          <Button type="submit" look="primary">
            Set link
          </Button>
          {before !== undefined && (
            <Button
              onClick={() => {
                onClose();
                chain().unsetLink().run();
              }}
            >
              Remove link
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
