import { Injectable } from '@nestjs/common';
import { LastingRequests } from '../../access/lasting-requests.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { withMediaUrls } from '../../fields/formats/media-url.js';
import type { Caller } from '../../http/caller.js';
import { JsonStream } from '../../http/responses/json-stream.js';
import { PublicUrl } from '../../http/public-url.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { formatId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { EntryListService, type ListOfType } from '../lists/entry-list.service.js';
import { type EntryRow, presentEntry } from '../entries/entry-presenter.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { selectedFields } from '../reading/field-selection.js';
import { ownName } from '../../fields/localized/localized-names.js';
import { ALL_LOCALES } from '../locales/locale-request.js';
import { ExchangeQueue } from '../../lists/exchange/exchange-admission.js';
import { formatRecord } from '../../lists/exchange/csv.js';
import { writeCell } from '../../lists/exchange/csv-cells.js';
import { canonicalLocale } from '../../validation/locales.js';
import { EXPORT_BYTES, EXPORT_CONTENT_TYPES, EXPORT_PAGE, exportPieces } from '../../lists/exchange/export-pieces.js';
import { withoutDangling } from './dangling-references.js';
import type { ExportRequest } from './export-request.js';

/** Writes entries as lines. */
type Format = (rows: readonly EntryRow[]) => SlicedWork<string>;

/** Exports what a list of entries shows (see `exportPieces`). */
@Injectable()
export class ExportService {
  private readonly queue = new ExchangeQueue('exports');

  constructor(
    private readonly lists: EntryListService,
    private readonly database: Database,
    private readonly publicUrl: PublicUrl,
    private readonly lasting: LastingRequests,
  ) {}

  run(caller: Caller, typeName: IdOrSlug, request: ExportRequest): JsonStream {
    const { locale } = request.list.reading?.locale ?? {};
    const headers = {
      'Content-Type': EXPORT_CONTENT_TYPES[request.format],
      'Content-Disposition': `attachment; filename="entries.${request.format}"`,
      // An import must be told the locale of what has that of one alone. A locale that cannot be one is refused with the first page.
      ...(locale !== undefined && canonicalLocale(locale) === locale && { 'Trivet-Locale': locale }),
    };
    return new JsonStream(() => this.pieces(caller, typeName, request), EXPORT_BYTES, headers);
  }

  private pieces(caller: Caller, typeName: IdOrSlug, { format, bom, list }: ExportRequest): AsyncGenerator<string> {
    let formatOf: Format = ndjson;
    return exportPieces<EntryRow, ListOfType>({
      queue: this.queue,
      caller,
      assertAdmitted: () => this.lasting.assertAdmitted(caller),
      read: (cursor) => this.lists.list(caller, typeName, { ...list, page: { perPage: EXPORT_PAGE, cursor } }),
      head: (page) => {
        if (format === 'ndjson') {
          if (list.shape === 'full') formatOf = fullLines(page.type.id);
          return '';
        }
        const columns = columnsOf(page);
        formatOf = csvOf(columns, this.publicUrl.base);
        return bom + formatRecord([...columns.map(({ name }) => name), 'status']);
      },
      write: (page, rows) => this.write(caller, page, { formatOf, isParsed: format === 'csv' }, rows),
    });
  }

  private async write(
    caller: Caller,
    page: ListOfType,
    { formatOf, isParsed }: { formatOf: Format; isParsed: boolean },
    rows: readonly EntryRow[],
  ): Promise<string> {
    const { share } = caller;
    const { select, locales } = page.reading ?? {};
    const { isLocalized } = page.type.schema;
    const whole = rows.map(({ fields }) => fields);
    // References are found under the names that they are stored under.
    const found = isLocalized ? await withoutDangling(this.database.reads, caller, page.type, whole) : whole;
    const shownIn = isParsed && locales?.locale === ALL_LOCALES ? 'stored' : locales;
    const shown = await selectedFields(
      share,
      found.map((fields) => ({ fields, select, locales: shownIn })),
    );
    const fields = shown.map((one) => one.fields);
    const exported = isLocalized ? fields : await withoutDangling(this.database.reads, caller, page.type, fields);
    const steps = formatOf(
      rows.map((row, index) => ({ ...row, ...shown[index], fields: exported[index] ?? row.fields })),
    );
    // A line of NDJSON has the JSON of its row as it is, so it takes no turns.
    const isLong = isParsed && isHeavy(fields.reduce((sum, text) => sum + text.length, 0));
    return heavyWork.runIf(isLong, share, steps);
  }
}

function* ndjson(rows: readonly EntryRow[]): SlicedWork<string> {
  let text = '';
  for (const { id, fields, status, createdAt, updatedAt, more = '' } of rows) {
    const times = `"created_at":"${createdAt}","updated_at":"${updatedAt}"`;
    text += `{"id":"${formatId('ent', id)}","fields":${fields},"status":"${status}",${times}${more}}\n`;
    yield;
  }
  return text;
}

/** Entries with all their properties, as every full response has them. */
function fullLines(typeId: string): Format {
  return function* (rows) {
    let text = '';
    for (const row of rows) {
      text += `${presentEntry(typeId, row, { shape: 'full' })}\n`;
      yield;
    }
    return text;
  };
}

/** The file is not JSON, so the URLs of files are put in here. */
function csvOf(columns: readonly CompiledField[], base: string): Format {
  return function* (rows) {
    let text = '';
    for (const { fields, status } of rows) {
      const values = (yield* parseSliced(withMediaUrls(fields, base))) as EntryFields;
      const cells = columns.map((field) =>
        Object.hasOwn(values, field.name) ? writeCell(field, values[field.name]) : '',
      );
      text += formatRecord([...cells, status]);
      yield;
    }
    return text;
  };
}

/** The selected fields, in their order in the type. With all locales, a localized field has a column for each. */
function columnsOf({ type, reading }: ListOfType): readonly CompiledField[] {
  const { select, locales } = reading ?? {};
  const fields = locales?.locale === ALL_LOCALES ? type.schema.fields : type.schema.ownFields;
  return fields.filter(({ name }) => !select || select.has(ownName(name)));
}
