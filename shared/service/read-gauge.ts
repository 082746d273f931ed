import { Gauge, type Registry } from 'prom-client';

/** Exports a figure that is read at the moment of each scrape. */
export function exportGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
