import type { DatabaseProbe } from './database-probe.js';
import { DatabaseChannel } from './database-channel.js';
import type { DatabaseServers } from '../servers/database-servers.js';
import { DatabaseWatch } from './database-watch.js';

/** Creates watches of the service's database, and channels between its processes. Each has a connection of its own once it is used. */
export class DatabaseWatches {
  constructor(
    private readonly url: string,
    private readonly probe: DatabaseProbe,
    private readonly servers: DatabaseServers,
  ) {}

  create(watched: ConstructorParameters<typeof DatabaseWatch>[3]): DatabaseWatch {
    return new DatabaseWatch(this.url, this.probe, this.servers, watched);
  }

  channel(name: string, heard: (message: string) => void): DatabaseChannel {
    return new DatabaseChannel(this.url, name, heard);
  }
}
