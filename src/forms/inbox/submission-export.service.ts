import { Injectable } from '@nestjs/common';
import { LastingRequests } from '../../access/lasting-requests.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statements/statement.js';
import type { Caller } from '../../http/caller.js';
import { JsonStream } from '../../http/responses/json-stream.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { formatId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { numberCell, textCell } from '../../lists/exchange/csv-cells.js';
import { formatRecord } from '../../lists/exchange/csv.js';
import { ExchangeQueue } from '../../lists/exchange/exchange-admission.js';
import { type ExportFormat, formatParameters, readFormat } from '../../lists/exchange/export-format.js';
import { EXPORT_BYTES, EXPORT_CONTENT_TYPES, EXPORT_PAGE, exportPieces } from '../../lists/exchange/export-pieces.js';
import type { CompiledForm } from '../form-schemas.js';
import { type FullRow, presentFull } from './submission-full.js';
import { readSelection, type Selection, selectionParameters } from './submission-list-request.js';
import { SubmissionListService, type SubmissionPage } from './submission-list.service.js';

const FORMER = statement<{ formId: string }, { former: string | null }>()(
  'forms.former',
  'SELECT f.former FROM forms f WHERE f.tenant_id = :tenantId AND f.id = :formId',
);

export const submissionExportParameters: Parameter[] = [
  ...formatParameters(
    '`ndjson` (the default): each line is a submission in the full view, and the last one is `{"done": true, "count": n}`. `csv`: the columns are `id`, ' +
      '`created_at`, the fields of today, and then former ones by name; the trailer `X-Row-Count` has the number of submissions.',
  ),
  ...selectionParameters,
];

interface SubmissionExport extends ExportFormat {
  selection: Selection;
}

/** Throws a 400 if a parameter is malformed. */
export function readSubmissionExport(query: Query): SubmissionExport {
  return { ...readFormat(query), selection: readSelection(query) };
}

/** A column of CSV. */
interface Column {
  name: string;
  cell: (text: string) => string;
}

type Format = (rows: readonly FullRow[]) => SlicedWork<string>;

/** Exports what a list of submissions shows (see `exportPieces`). */
@Injectable()
export class SubmissionExportService {
  private readonly queue = new ExchangeQueue('exports');

  constructor(
    private readonly database: Database,
    private readonly lists: SubmissionListService,
    private readonly lasting: LastingRequests,
  ) {}

  run(caller: Caller, formId: string, request: SubmissionExport): JsonStream {
    const isCsv = request.format === 'csv';
    const headers = {
      'Content-Type': EXPORT_CONTENT_TYPES[request.format],
      'Content-Disposition': `attachment; filename="submissions.${request.format}"`,
    };
    const counted = { rows: 0 };
    const pieces = () => this.pieces(caller, formId, request, counted);
    const trailers = { names: 'X-Row-Count', values: () => ({ 'X-Row-Count': String(counted.rows) }) };
    return new JsonStream(pieces, EXPORT_BYTES, headers, isCsv ? trailers : undefined);
  }

  private async *pieces(
    caller: Caller,
    formId: string,
    { format, bom, selection }: SubmissionExport,
    counted: { rows: number },
  ): AsyncGenerator<string> {
    let formatOf: Format = ndjsonOf(formId);
    yield* exportPieces<FullRow, SubmissionPage>({
      queue: this.queue,
      caller,
      assertAdmitted: () => this.lasting.assertAdmitted(caller),
      read: (cursor) => this.lists.list(caller, formId, selection, { perPage: EXPORT_PAGE, cursor }, true),
      head: async ({ form }) => {
        if (format === 'ndjson') return '';
        const columns = await this.columnsOf(caller, form);
        formatOf = csvOf(columns);
        return bom + formatRecord(['id', 'created_at', ...columns.map(({ name }) => name)]);
      },
      write: async (_page, rows) => {
        counted.rows += rows.length;
        const steps = formatOf(rows);
        // A line of NDJSON has the JSON of its row as it is, so it takes no turns.
        const isLong = format === 'csv' && isHeavy(rows.reduce((sum, { fields }) => sum + fields.length, 0));
        return isLong ? heavyWork.run(caller.share, steps) : runAtOnce(steps);
      },
    });
    if (format === 'ndjson') yield `{"done":true,"count":${counted.rows}}\n`;
  }

  /** The fields that the form has, and then those that it had, by name. */
  private async columnsOf({ tenantId }: Caller, { id: formId, schema }: CompiledForm): Promise<Column[]> {
    const [row] = await this.database.reads.query(tenantId, FORMER, { formId });
    const former = JSON.parse(row?.former ?? '[]') as string[];
    return [
      ...schema.fields.map(({ name, definition }) => ({
        name,
        cell: definition.type === 'number' ? numberCell : textCell,
      })),
      ...former
        .filter((name) => !schema.field(name))
        .sort()
        .map((name) => ({ name, cell: textCell })),
    ];
  }
}

function ndjsonOf(formId: string): Format {
  return function* (rows) {
    let text = '';
    for (const row of rows) {
      text += `${presentFull(formId, row)}\n`;
      yield;
    }
    return text;
  };
}

function csvOf(columns: readonly Column[]): Format {
  return function* (rows) {
    let text = '';
    for (const { id, fields, createdAt } of rows) {
      const values = (yield* parseSliced(fields)) as Record<string, string>;
      const cells = columns.map(({ name, cell }) => (Object.hasOwn(values, name) ? cell(String(values[name])) : ''));
      text += formatRecord([formatId('sub', id), createdAt, ...cells]);
      yield;
    }
    return text;
  };
}
