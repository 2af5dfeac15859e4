import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Sql } from 'postgres';
import { fatal } from './refusing-database.ts';

/** PostgreSQL's last message after a committed statement: ReadyForQuery, outside a transaction. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

export interface DatabaseProxy {
  /** Address of the database through this proxy. */
  database_url: string;
  /** Breaks the connection of the next statement with `text`, after its commit and before its reply arrives. */
  dropReplyTo(text: string): void;
  /** Breaks the connection of the next statements with `text`, `times` times, before the database receives them. */
  dropStatement(text: string, times: number): void;
  /** Forwards nothing more on any connection, without closing one, like a network that lost its route. */
  silence(): void;
  /** Ends all connections and refuses new ones, like a database whose connections are all in use. */
  refuseConnections(): void;
  /** Ends the connections of the two faults above, and forwards again on new ones. */
  recover(): void;
  close(): Promise<void>;
}

/** Starts a proxy between the service and its database that can break connections at a chosen moment. */
export async function databaseProxy(sql: Sql): Promise<DatabaseProxy> {
  const faults: Faults = { reply: null, statement: null, times: 0, silent: false, refusing: false };
  const clients = new Set<Socket>();
  const endAll = () => {
    for (const client of clients) client.destroy();
  };
  const server = createServer((client) => {
    clients.add(client.once('close', () => clients.delete(client)));
    if (faults.refusing) client.on('error', () => undefined).end(fatal('sorry, too many clients already', '53300'));
    else connectSockets(client, connectTo(sql), faults);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const { user, database, pass } = sql.options;
  const login = typeof pass === 'string' && pass !== '' ? `${user}:${encodeURIComponent(pass)}` : user;
  return {
    database_url: `postgres://${login}@127.0.0.1:${address.port}/${database}`,
    dropReplyTo(text) {
      faults.reply = text;
    },
    dropStatement(text, times) {
      Object.assign(faults, { statement: text, times });
    },
    silence() {
      faults.silent = true;
    },
    refuseConnections() {
      faults.refusing = true;
      endAll();
    },
    recover() {
      Object.assign(faults, { silent: false, refusing: false });
      endAll();
    },
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

function connectTo(sql: Sql): Socket {
  const { path, host, port } = sql.options;
  return path ? connect({ path: String(path) }) : connect({ host: host[0], port: Number(port[0]) });
}

interface Faults {
  reply: string | null;
  statement: string | null;
  /** How often the statement is still to be dropped. */
  times: number;
  silent: boolean;
  refusing: boolean;
}

function connectSockets(client: Socket, database: Socket, faults: Faults): void {
  let droppingReply = false;
  const cut = () => {
    client.destroy();
    database.destroy();
  };
  client.on('data', (chunk) => {
    if (faults.silent) return;
    if (faults.statement !== null && faults.times > 0 && chunk.includes(faults.statement)) {
      faults.times -= 1;
      cut();
      return;
    }
    if (faults.reply !== null && chunk.includes(faults.reply)) {
      faults.reply = null;
      droppingReply = true;
    }
    database.write(chunk);
  });
  database.on('data', (chunk) => {
    if (faults.silent) return;
    if (!droppingReply) client.write(chunk);
    else if (chunk.subarray(-readyForQuery.length).equals(readyForQuery)) cut();
  });
  for (const socket of [client, database]) socket.on('close', cut).on('error', cut);
}
