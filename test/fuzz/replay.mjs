/** Sends the request of a failure again, to a service that has what it names. */
import { readFile } from 'node:fs/promises';
import { commandOf } from './request.mjs';
import { setStage } from './stage.mjs';

/** Whether nothing is wrong any more. */
export async function replay({ file, dist, folder }) {
  const { seed, fault, case: one } = JSON.parse(await readFile(file, 'utf8'));
  const { player, rawPlayer, world } = await setStage({ dist, folder, seed });
  console.log(`It was: ${fault.kind}. ${fault.text}`);
  const played = await (one.flavour === 'raw' ? rawPlayer : player).play(one);
  console.log(`Request: ${commandOf(played.bytes, world.port)}`);
  if (played.answer) console.log(`Answer: ${played.answer.status} ${played.answer.body.toString().slice(0, 4_000)}`);
  for (const { kind, text } of played.faults) console.log(`✗ ${kind}: ${text}`);
  if (played.faults.length === 0) console.log('Nothing is wrong.');
  return played.faults.length === 0;
}
