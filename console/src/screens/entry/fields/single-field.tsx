import type { ComponentType } from 'react';
import { BooleanControl, SelectControl } from './choice-controls';
import type { FieldProps } from './field-frame';
import { JsonControl } from './json-control';
import { MediaControl } from './media-control';
import { NumberControl } from './number-control';
import { ReferenceControl } from './reference-control';
import { RichTextControl } from './rich-text/rich-text-control';
import { AddressControl, TextControl } from './text-control';
import { DateControl, DatetimeControl } from './time-controls';

/** How one value of each type is edited. */
const CONTROLS: Readonly<Record<string, ComponentType<FieldProps>>> = {
  text: TextControl,
  rich_text: RichTextControl,
  media: MediaControl,
  number: NumberControl,
  integer: NumberControl,
  boolean: BooleanControl,
  date: DateControl,
  datetime: DatetimeControl,
  email: AddressControl,
  url: AddressControl,
  select: SelectControl,
  json: JsonControl,
  reference: ReferenceControl,
};

/** One value. A type that the console does not know is edited as JSON. */
export function SingleField(props: FieldProps) {
  const Control = CONTROLS[props.definition.type] ?? JsonControl;
  return <Control {...props} />;
}
