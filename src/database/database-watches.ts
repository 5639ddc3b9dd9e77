import type { DatabaseServers } from './database-servers.js';
import { DatabaseWatch } from './database-watch.js';

/** Creates watches of the service's database. Each has a connection of its own once it is started. */
export class DatabaseWatches {
  constructor(
    private readonly url: string,
    private readonly servers: DatabaseServers,
  ) {}

  create(watched: ConstructorParameters<typeof DatabaseWatch>[2]): DatabaseWatch {
    return new DatabaseWatch(this.url, this.servers, watched);
  }
}
