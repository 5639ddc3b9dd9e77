import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const properties = new Map<Type, ReadonlySet<string>>();

/** Returns the properties of a class by their validators. Every property that may be sent has at least `@Allow()`. */
export function propertiesOf(dto: Type): ReadonlySet<string> {
  let names = properties.get(dto);
  if (!names) {
    const validators = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    names = new Set(validators.map(({ propertyName }) => propertyName));
    properties.set(dto, names);
  }
  return names;
}
