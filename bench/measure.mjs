/** Measures one workload on one server. */
import { Histogram } from './histogram.mjs';
import { serverTime } from './processes.mjs';

/** Adds up measured windows. Rates and shares are computed from the sums. */
export class Measurement {
  count = 0;
  seconds = 0;
  serverCpu = 0;
  postgresCpu = 0;
  generatorCpu = 0;
  histogram = new Histogram();

  get rate() {
    return this.count / this.seconds;
  }

  summary() {
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => this.histogram.quantile(share));
    return {
      requests: this.count,
      rps: round(this.rate),
      p50_ms: round(p50),
      p90_ms: round(p90),
      p99_ms: round(p99),
      p99_to_p50: round(p99 / p50),
      server_cpu_us: round(this.serverCpu / this.count),
      postgres_cpu_us: round(this.postgresCpu / this.count),
      generator_busy: round(this.generatorCpu / this.seconds),
    };
  }
}

/** Warms up, then adds a measurement to `into`. Returns the measured window, in microseconds of the monotonic clock. */
export async function measure(load, { server, postgres, requests, connections, warmUp, milliseconds, into }) {
  await load.prepare(server.port, connections, requests);
  if (warmUp > 0) await load.run(warmUp);
  const [serverBefore, postgresBefore] = [await serverTime(server.pid), await postgres.cpuTime()];
  const from = monotonic();
  const { count, seconds, cpu, histogram } = await load.run(milliseconds);
  const to = monotonic();
  into.serverCpu += (await serverTime(server.pid)) - serverBefore;
  into.postgresCpu += (await postgres.cpuTime()) - postgresBefore;
  into.count += count;
  into.seconds += seconds;
  into.generatorCpu += cpu;
  into.histogram.add(histogram);
  await load.close();
  return { from, to };
}

function monotonic() {
  return Number(process.hrtime.bigint() / 1000n);
}

function round(value) {
  return Number(value.toPrecision(4));
}
