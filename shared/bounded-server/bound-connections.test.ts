import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { boundConnections } from './bound-connections.js';

function boundedServer(most: number) {
  const server = new EventEmitter();
  let swept = 0;
  boundConnections(Object.assign(server, { closeIdleConnections: () => swept++ }) as unknown as Server, most);
  return {
    swept: () => swept,
    /** Returns whether the server accepts a connection from the address; `leave` closes it. */
    connect(remoteAddress: string) {
      const socket = new EventEmitter();
      let kept = true;
      const destroy = () => {
        kept = false;
        socket.emit('close');
      };
      server.emit('connection', Object.assign(socket, { remoteAddress, destroy }));
      return { kept, leave: () => socket.emit('close') };
    },
  };
}

it('one address can use all connections except the share reserved for others', () => {
  const { connect } = boundedServer(100);
  const one = Array.from({ length: 200 }, () => connect('198.51.100.1').kept);
  expect(one.filter(Boolean)).toHaveLength(75);
  const others = Array.from({ length: 25 }, (_, index) => connect(`203.0.113.${index}`).kept);
  expect(others.every(Boolean)).toBe(true);
});

it('connections are bounded, and idle ones are closed first', () => {
  const { connect, swept } = boundedServer(100);
  const kept = Array.from({ length: 200 }, (_, index) => connect(`10.0.${index}.1`).kept);
  expect(kept.filter(Boolean)).toHaveLength(100);
  expect(swept()).toBeGreaterThan(0);
});

it('a closed connection makes room again', () => {
  const { connect } = boundedServer(4);
  const first = [1, 2, 3].map(() => connect('198.51.100.1'));
  expect(connect('198.51.100.1').kept).toBe(false);
  for (const each of first) each.leave();
  expect(connect('198.51.100.1').kept).toBe(true);
});
