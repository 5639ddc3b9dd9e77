/** The parts of the official SDK that a server needs. */
export type Sdk = Awaited<ReturnType<typeof load>>;

let loading: Promise<Sdk> | undefined;

/** Loads the SDK when the first message arrives: it takes 25 MB and some tenths of a second, which a service without assistants saves. */
export function loadSdk(): Promise<Sdk> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport: Transport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Server, Transport, types };
}
