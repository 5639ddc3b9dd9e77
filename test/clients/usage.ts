/** The same list through each of the generated clients, as a program with types would use it. */
import { createClient } from './hey-api/client';
import { listEntries, type ListEntriesData } from './hey-api';
import { listEntries as orvalListEntries, type ListEntriesParams } from './orval/client';
import { service } from './orval-fetch';

export interface Place {
  url: string;
  key: string;
  tenant: string;
  type: string;
}

/** What the clients have in common. */
type Query = NonNullable<ListEntriesData['query']> & ListEntriesParams;

interface Listed {
  status: number;
  titles: unknown[];
}

export const clients: Record<string, (place: Place, query: Query) => Promise<Listed>> = {
  '@hey-api/openapi-ts': async ({ url, key, tenant, type }, query) => {
    const client = createClient({ baseUrl: url, auth: key });
    const path = { tenant_id: tenant, content_type_id: type };
    const { data, response } = await listEntries({ client, path, query });
    return { status: response?.status ?? 0, titles: (data?.data ?? []).map(({ fields }) => fields['title']) };
  },

  orval: async ({ url, key, tenant, type }, query) => {
    Object.assign(service, { url, key });
    const { status, data } = await orvalListEntries(tenant, type, query);
    // The part of the document that the client was generated from describes no problems.
    const entries = (data as Partial<typeof data>).data ?? [];
    return { status, titles: entries.map(({ fields }) => fields['title']) };
  },
};
