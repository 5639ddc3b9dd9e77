import { Module } from '@nestjs/common';
import { AdmissionModule } from '../../admission/admission.module.js';
import { StreamedImports } from './streamed-import.js';

/** One queue for the imports of all modules. */
@Module({
  imports: [AdmissionModule],
  providers: [StreamedImports],
  exports: [StreamedImports],
})
export class ExchangeModule {}
