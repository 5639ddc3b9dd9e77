import type { DatabaseProbe } from './database-probe.js';
import type { DatabaseServers } from './database-servers.js';
import { DatabaseWatch } from './database-watch.js';

/** Creates watches of the service's database. Each has a connection of its own once it is started. */
export class DatabaseWatches {
  constructor(
    private readonly url: string,
    private readonly probe: DatabaseProbe,
    private readonly servers: DatabaseServers,
  ) {}

  create(watched: ConstructorParameters<typeof DatabaseWatch>[3]): DatabaseWatch {
    return new DatabaseWatch(this.url, this.probe, this.servers, watched);
  }
}
