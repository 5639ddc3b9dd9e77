/** Jest imports this file without the runtime's loader. */
import '../../../scripts/typescript.mjs';

export default async function setUp() {
  const { setUpServers } = await import('../global-setup.ts');
  await setUpServers();
}
