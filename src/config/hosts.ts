/** Whether `text` is a host with an optional port, written as a URL writes it. */
export function isHost(text: string): boolean {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return false;
  return URL.canParse(`https://${host}`) && new URL(`https://${host}`).hostname === host.toLowerCase();
}
