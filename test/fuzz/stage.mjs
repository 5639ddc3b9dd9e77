/** Creates the shared objects of a run: world, judge, coverage, sample and players. */
import { Coverage } from './coverage.mjs';
import { Judge } from './judge.mjs';
import { Lane } from './lane.mjs';
import { Player } from './player.mjs';
import { RawPlayer } from './raw-player.mjs';
import { Sample } from './sample.mjs';
import { blindSpots } from './self-check.mjs';
import { Wire } from './wire.mjs';
import { hash } from './campaign.mjs';
import { World } from './world.mjs';

export async function setStage({ dist, folder, seed }) {
  const world = await World.build({ dist, folder, seed: hash(seed) & 0x7fffffff });
  const judge = new Judge({ document: world.document, secrets: world.secrets, places: [dist, folder, 'root:x:0:0'] });
  const blind = blindSpots(judge);
  if (blind.length > 0) throw new Error(blind.join('\n'));
  const sample = await Sample.make(world);
  await world.furnish();
  const coverage = new Coverage(world.document.operations);
  const shared = { world, judge, coverage, wire: new Wire(world.port), lane: new Lane() };
  return { ...shared, sample, player: new Player(shared), rawPlayer: new RawPlayer(shared) };
}
