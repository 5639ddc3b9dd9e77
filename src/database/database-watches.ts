import { DatabaseWatch } from './database-watch.js';

/** Creates watches of the service's database. Each has a connection of its own once it is started. */
export class DatabaseWatches {
  constructor(private readonly url: string) {}

  create(watched: ConstructorParameters<typeof DatabaseWatch>[1]): DatabaseWatch {
    return new DatabaseWatch(this.url, watched);
  }
}
