/** Reads the output of `node --cpu-prof`: samples of the stack, of which only the top function is used. */
import { fileURLToPath } from 'node:url';

export class CpuProfile {
  /** `dist` is the folder of the service's compiled code. */
  constructor({ nodes, samples, timeDeltas, startTime }, dist) {
    const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const stackOf = (id) => (id === undefined ? [] : [byId.get(id).callFrame, ...stackOf(callers.get(id))]);
    this.frames = new Map(nodes.map(({ id }) => [id, frameOf(stackOf(id), dist)]));
    this.samples = samples;
    this.timeDeltas = timeDeltas;
    this.startTime = startTime;
  }

  /** The samples between two times of the monotonic clock, in microseconds. */
  within({ from, to }) {
    const times = new Map();
    let time = this.startTime;
    for (const [index, id] of this.samples.entries()) {
      time += this.timeDeltas[index];
      const frame = this.frames.get(id);
      if (time < from || time > to || frame.name === '(idle)') continue;
      times.set(frame, (times.get(frame) ?? 0) + this.timeDeltas[index]);
    }
    return new Samples(times);
  }
}

class Samples {
  constructor(times) {
    this.times = times;
  }

  functions() {
    return this.by(({ name }) => name);
  }

  packages() {
    return this.by(({ owner }) => owner);
  }

  by(nameOf) {
    const sums = new Map();
    for (const [frame, time] of this.times) sums.set(nameOf(frame), (sums.get(nameOf(frame)) ?? 0) + time);
    const list = [...sums].map(([name, microseconds]) => ({ name, microseconds }));
    return list.sort((a, b) => b.microseconds - a.microseconds);
  }
}

/** Names the function at the top of a stack. Time in Node and V8 counts for the code that called it. */
function frameOf([top, ...callers], dist) {
  if (top.url === '' && /^\(.+\)$/.test(top.functionName) && top.functionName !== '(anonymous)') {
    return { name: top.functionName, owner: top.functionName };
  }
  const caller = isOfNode(top) ? callers.find((frame) => !isOfNode(frame)) : undefined;
  const name = describe(top, dist);
  return {
    name: caller ? `${name}, for ${describe(caller, dist)}` : name,
    owner: isOfNode(top) && !caller ? 'node' : ownerOf(pathOf(caller ?? top), dist),
  };
}

function isOfNode({ url }) {
  return url === '' || url.startsWith('node:');
}

function describe(frame, dist) {
  const name = frame.functionName || '(anonymous)';
  const path = pathOf(frame);
  if (path === '') return name;
  const place = path.startsWith(`${dist}/`) ? path.slice(dist.length + 1) : path.split('node_modules/').at(-1);
  return `${name} ${place}:${frame.lineNumber + 1}`;
}

function pathOf({ url }) {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

function ownerOf(path, dist) {
  const [, inModule] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (inModule) return inModule;
  return path.startsWith(dist) ? `src/${path.slice(dist.length + 1).split('/')[0]}` : path;
}
