import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../observability/metrics.js';
import { Pictures, type PictureProcesses } from './pictures.js';

/** Metrics of the images that are processed and that wait for it. They are read when `/metrics` is requested. */
@Injectable()
export class PictureMetrics {
  constructor({ registry }: Metrics, { drawing, reading }: Pictures) {
    const lanes = Object.entries({ drawing, reading });
    const gauge = (name: string, help: string, read: (lane: PictureProcesses) => number) =>
      new Gauge({
        name: `trivet_images_${name}`,
        help: `${help} The lane is drawing for variants and for uploads without metadata, and reading for the sizes of uploads.`,
        labelNames: ['lane'],
        registers: [registry],
        collect() {
          for (const [lane, pictures] of lanes) this.set({ lane }, read(pictures));
        },
      });
    gauge('running', 'Images that are being processed.', (lane) => lane.running);
    gauge('waiting', 'Images that wait to be processed.', (lane) => lane.waiting);
  }
}
