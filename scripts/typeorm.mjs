/** TypeORM's command line on the sources: `DATABASE_URL=… node scripts/typeorm.mjs migration:show -d ormconfig.ts`. */
import './typescript.mjs';

await import('typeorm/cli.js');
