import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Sql } from 'postgres';

/** What PostgreSQL sends last when a statement is over and committed: ReadyForQuery, outside a transaction. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

export interface DatabaseProxy {
  /** The same database, through this proxy. */
  database_url: string;
  /** Breaks the connection whose next statement carries `text`, once the database has committed it and before its answer arrives. */
  loseAnswerTo(text: string): void;
  /** Breaks the connection on which a statement carrying `text` is sent, before the database gets it, so many times. */
  loseStatement(text: string, times: number): void;
  close(): Promise<void>;
}

/** A wire between the service and its database that can be cut at a chosen moment. */
export async function databaseProxy(sql: Sql): Promise<DatabaseProxy> {
  const cuts: Cuts = { answer: null, statement: null, times: 0 };
  const server = createServer((client) => join(client, connectTo(sql), cuts));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { user, database, pass } = sql.options;
  const login = typeof pass === 'string' && pass !== '' ? `${user}:${encodeURIComponent(pass)}` : user;
  return {
    database_url: `postgres://${login}@127.0.0.1:${address.port}/${database}`,
    loseAnswerTo(text) {
      cuts.answer = text;
    },
    loseStatement(text, times) {
      Object.assign(cuts, { statement: text, times });
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

interface Cuts {
  answer: string | null;
  statement: string | null;
  /** How often the statement is still to be lost. */
  times: number;
}

function join(client: Socket, database: Socket, cuts: Cuts): void {
  let losing = false;
  const cut = () => {
    client.destroy();
    database.destroy();
  };
  client.on('data', (chunk) => {
    if (cuts.statement !== null && cuts.times > 0 && chunk.includes(cuts.statement)) {
      cuts.times -= 1;
      cut();
      return;
    }
    if (cuts.answer !== null && chunk.includes(cuts.answer)) {
      cuts.answer = null;
      losing = true;
    }
    database.write(chunk);
  });
  database.on('data', (chunk) => {
    if (!losing) client.write(chunk);
    else if (chunk.subarray(-readyForQuery.length).equals(readyForQuery)) cut();
  });
  for (const socket of [client, database]) socket.on('close', cut).on('error', cut);
}
