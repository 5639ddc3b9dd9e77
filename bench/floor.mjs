/**
 * The floor: the cost of the same requests with as little as possible between the socket and PostgreSQL. Bare `node:http` and `pg`,
 * prepared statements, a handmade index for each query, `count(*)` for totals; no keys, tenants, validation or events.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { v7 } from 'uuid';

const ROW = ['id', 'content_type_id', 'fields', 'status', 'created_at', 'updated_at'];
const COLUMNS = ROW.join(', ');
const COUNT = '(SELECT count(*)::int FROM entries) AS total';

const GET = { name: 'get', text: `SELECT ${COLUMNS} FROM entries WHERE id = $1` };
const NEWEST = {
  name: 'newest',
  text: `SELECT ${COLUMNS}, ${COUNT} FROM entries ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`,
};
const LATER_PAGE = {
  name: 'later-page',
  text: `SELECT ${COLUMNS}, ${COUNT} FROM entries
    JOIN (SELECT id FROM entries ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2) page USING (id)
    ORDER BY created_at DESC, id DESC`,
};
const LINKS = {
  name: 'links',
  text: `SELECT l.*, ${ROW.map((column) => `p.${column} AS person_${column}`).join(', ')}, (SELECT count(*)::int FROM links) AS total
    FROM (SELECT * FROM links ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2) l
    LEFT JOIN people p ON p.id IN (l.fields ->> 'author', l.fields ->> 'editor')
    ORDER BY l.created_at DESC, l.id DESC`,
};
const BY_TITLE = {
  name: 'by-title',
  text: `SELECT ${COLUMNS}, ${COUNT} FROM entries ORDER BY lower(fields ->> 'title') COLLATE "C", id LIMIT $1 OFFSET $2`,
};
const WITH_TITLE = {
  name: 'with-title',
  text: `SELECT ${COLUMNS}, (SELECT count(*)::int FROM entries WHERE fields ->> 'title' = $3) AS total FROM entries
    WHERE fields ->> 'title' = $3 ORDER BY id DESC LIMIT $1 OFFSET $2`,
};
const SEARCH = {
  name: 'search',
  text: `SELECT ${COLUMNS}, count(*) OVER ()::int AS total FROM entries WHERE search @@ websearch_to_tsquery('simple', $3)
    ORDER BY ts_rank(search, websearch_to_tsquery('simple', $3)) DESC, id DESC LIMIT $1 OFFSET $2`,
};
const CREATE = {
  name: 'create',
  text: `INSERT INTO entries (id, content_type_id, fields, status, created_at, updated_at)
    VALUES ($1, $2, $3, $4, now(), now()) RETURNING id, content_type_id, fields, status, created_at`,
};
const UPDATE = {
  name: 'update',
  text: `UPDATE entries SET fields = fields || $2::jsonb, status = coalesce($3, status), updated_at = now() WHERE id = $1
    RETURNING id, content_type_id, fields, status, updated_at`,
};
const SUBMIT = {
  name: 'submit',
  text: `INSERT INTO submissions VALUES ($1, $2, $3, now()) RETURNING id, form_id, fields, created_at`,
};

function serve({ databaseUrl, port }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const query = async (statement, values) => (await pool.query({ ...statement, values })).rows;

  async function answer(request) {
    const { pathname, searchParams } = new URL(request.url, 'http://floor');
    const [, , room, , ...rest] = pathname.split('/');
    if (room === 'forms') return submit(request, rest[0]);
    const [, typeId, , entryId] = rest;
    if (request.method === 'POST') return create(request, typeId);
    if (request.method === 'PATCH') return update(request, entryId);
    return entryId === undefined ? list(searchParams) : [200, { data: (await query(GET, [entryId]))[0] }];
  }

  async function submit(request, formId) {
    const { fields } = await bodyOf(request);
    if ('_altcha' in fields) for (const name of ['_t', '_altcha', 'website']) delete fields[name];
    return [201, { data: (await query(SUBMIT, [newId('sub'), formId, fields]))[0] }];
  }

  async function create(request, typeId) {
    const { fields, status = 'draft' } = await bodyOf(request);
    return [201, { data: (await query(CREATE, [newId('ent'), typeId, fields, status]))[0] }];
  }

  async function update(request, entryId) {
    const { fields = {}, status = null } = await bodyOf(request);
    return [200, { data: (await query(UPDATE, [entryId, fields, status]))[0] }];
  }

  async function list(parameters) {
    const page = Number(parameters.get('page') ?? 1);
    const perPage = Number(parameters.get('per_page') ?? 25);
    const [statement, ...values] = statementOf(parameters, page);
    const rows = await query(statement, [perPage, (page - 1) * perPage, ...values]);
    const meta = { page, per_page: perPage, total: rows[0]?.total ?? 0 };
    for (const row of rows) delete row.total;
    return [200, parameters.has('include') ? { ...withIncluded(rows), meta } : { data: rows, meta }];
  }

  createServer((request, response) => {
    answer(request).then(
      ([status, body]) => send(response, status, body),
      (error) => send(response, 500, { error: error.message }),
    );
  }).listen(port, '127.0.0.1', () => process.send('ready'));
}

/** From one row for each link and person: the links, and the people by ID. */
function withIncluded(rows) {
  const links = new Map();
  const included = {};
  for (const row of rows) {
    links.set(row.id, Object.fromEntries(ROW.map((column) => [column, row[column]])));
    const id = row.person_id;
    if (id) included[id] ??= Object.fromEntries(ROW.map((column) => [column, row[`person_${column}`]]));
  }
  return { data: [...links.values()], included };
}

function statementOf(parameters, page) {
  if (parameters.has('include')) return [LINKS];
  const search = parameters.get('search');
  if (search !== null) return [SEARCH, search];
  const title = parameters.get('filter[title]');
  if (title !== null) return [WITH_TITLE, title];
  if (parameters.get('sort') === 'title') return [BY_TITLE];
  return [page > 1 ? LATER_PAGE : NEWEST];
}

function bodyOf(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length });
  response.end(text);
}

function newId(prefix) {
  return `${prefix}_${v7().replaceAll('-', '').slice(6)}`;
}

process.on('disconnect', () => process.exit(0));
serve({ databaseUrl: process.env.DATABASE_URL, port: Number(process.env.PORT) });
