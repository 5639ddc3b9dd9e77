/** Sends the request of a finding again, to a service with the resources that it names. */
import { readFile } from 'node:fs/promises';
import { commandOf } from './request.mjs';
import { setStage } from './stage.mjs';

/** Returns whether no fault is left. */
export async function replay({ file, dist, folder }) {
  const { seed, fault, case: one } = JSON.parse(await readFile(file, 'utf8'));
  const { player, rawPlayer, world } = await setStage({ dist, folder, seed });
  console.log(`The finding was: ${fault.kind}. ${fault.text}`);
  const played = await (one.flavour === 'raw' ? rawPlayer : player).play(one);
  console.log(`Request: ${commandOf(played.bytes, world.port)}`);
  if (played.answer) console.log(`Response: ${played.answer.status} ${played.answer.body.toString().slice(0, 4_000)}`);
  for (const { kind, text } of played.faults) console.log(`✗ ${kind}: ${text}`);
  if (played.faults.length === 0) console.log('No fault was found.');
  return played.faults.length === 0;
}
