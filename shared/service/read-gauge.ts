import { Gauge, type Registry } from 'prom-client';

/** Exports a value that is read at each scrape. */
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
