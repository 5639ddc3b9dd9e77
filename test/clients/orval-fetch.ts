/** The service and the API key that the client of orval uses. */
export const service = { url: '', key: '' };

/** Sends the requests of the client of orval, whose URLs are paths. */
export async function orvalFetch<Response>(path: string, options: RequestInit): Promise<Response> {
  const headers = { ...options.headers, Authorization: `Bearer ${service.key}` };
  const response = await fetch(service.url + path, { ...options, headers });
  return { status: response.status, data: await response.json(), headers: response.headers } as Response;
}
