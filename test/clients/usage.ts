/** The same list through each of the generated clients, as a program with types would use it. */
import { createClient } from './hey-api/client';
import { entriesList, type EntriesListData } from './hey-api';
import { entriesList as orvalEntriesList, type EntriesListParams } from './orval/client';
import { service } from './orval-fetch';

export interface Place {
  url: string;
  key: string;
  tenant: string;
  type: string;
}

/** What the clients have in common. */
type Query = NonNullable<EntriesListData['query']> & EntriesListParams;

interface Listed {
  status: number;
  titles: unknown[];
}

export const clients: Record<string, (place: Place, query: Query) => Promise<Listed>> = {
  '@hey-api/openapi-ts': async ({ url, key, tenant, type }, query) => {
    const client = createClient({ baseUrl: url, auth: key });
    const path = { tenant_id: tenant, content_type_id: type };
    const { data, response } = await entriesList({ client, path, query });
    return { status: response?.status ?? 0, titles: (data?.data ?? []).map(({ fields }) => fields['title']) };
  },

  orval: async ({ url, key, tenant, type }, query) => {
    Object.assign(service, { url, key });
    const { status, data } = await orvalEntriesList(tenant, type, query);
    // The part of the document that the client was generated from describes no problems.
    const entries = (data as Partial<typeof data>).data ?? [];
    return { status, titles: entries.map(({ fields }) => fields['title']) };
  },
};
