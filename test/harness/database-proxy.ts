import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Sql } from 'postgres';
import { fatal } from './refusing-database.ts';

/** PostgreSQL's last message after a committed statement: ReadyForQuery with the state "not in a transaction". */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');
/** ReadyForQuery with the state "in a transaction", which PostgreSQL sends until the transaction is committed. */
const inTransaction = Buffer.from('Z\0\0\0\x05T', 'latin1');
/** The beginning of ReadyForQuery, which ends the reply to every statement. */
const endOfReply = readyForQuery.subarray(0, -1);

export interface DatabaseProxy {
  /** Database URL that connects through this proxy. */
  database_url: string;
  /**
   * Breaks the connection of the next statement that contains `text`, after its commit and before its reply arrives.
   */
  dropReplyTo(text: string): void;
  /** Breaks the connection of the next `times` statements that contain `text`, before the database receives them. */
  dropStatement(text: string, times: number): void;
  /**
   * Stops forwarding on the connection of the next statement that contains `text`, and resolves when that statement
   * arrives. With `reply`, the database runs the statement, and forwarding stops at the first reply that contains this
   * text. With an empty `reply`, forwarding stops at the reply to the statement itself.
   */
  hold(text: string, reply?: string): Promise<void>;
  /** Stops forwarding on all connections without closing them, as when a network route is lost. */
  silence(): void;
  /** Ends all connections and refuses new ones, as a database does when it has no free connection. */
  refuseConnections(): void;
  /** Ends `silence` and `refuseConnections`: closes all connections, and forwards on new connections again. */
  recover(): void;
  /** Does the same as `dropReplyTo`. After that, the database is unreachable until `comeBack`. */
  goAwayAfter(text: string): void;
  /** Does the same as `dropStatement`, once. After that, the database is unreachable until `comeBack`. */
  goAwayBefore(text: string): void;
  comeBack(): void;
  /** Returns the number of statements to which the database has replied since the start, on all connections. */
  replies(): number;
  /** Resolves when the unreachable database has refused `count` connections. */
  refused(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy between the service and its database that can break connections at a chosen moment. */
export async function databaseProxy(sql: Sql): Promise<DatabaseProxy> {
  const faults: Faults = {
    reply: null,
    statement: null,
    times: 0,
    hold: null,
    silent: false,
    refusing: false,
    leaves: false,
    away: false,
    replies: 0,
  };
  const refusals = new EventEmitter();
  const cuts = new Set<() => void>();
  const clients = new Set<Socket>();
  const endAll = () => {
    for (const client of clients) client.destroy();
  };
  const leave = () => {
    faults.away = true;
    for (const cut of cuts) cut();
  };
  const server = createServer((client) => {
    clients.add(client.once('close', () => clients.delete(client)));
    if (faults.refusing) {
      client.on('error', () => undefined).end(fatal('sorry, too many clients already', '53300'));
    } else if (faults.away) {
      client.on('error', () => undefined).destroy();
      refusals.emit('refused');
    } else connectSockets(client, connectTo(sql), { faults, cuts, leave });
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
    hold(text, reply) {
      const { promise, resolve } = Promise.withResolvers<void>();
      faults.hold = { text, reply, reached: resolve };
      return promise;
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
    goAwayAfter(text) {
      Object.assign(faults, { reply: text, leaves: true });
    },
    goAwayBefore(text) {
      Object.assign(faults, { statement: text, times: 1, leaves: true });
    },
    comeBack() {
      Object.assign(faults, { leaves: false, away: false });
    },
    replies: () => faults.replies,
    async refused(count) {
      for (let seen = 0; seen < count; seen += 1) await once(refusals, 'refused');
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
  /** Number of matching statements that are still to be dropped. */
  times: number;
  hold: Hold | null;
  silent: boolean;
  refusing: boolean;
  /** True when the next fault makes the database unreachable. */
  leaves: boolean;
  away: boolean;
  /** Number of replies from the database. The counter is in this object because all connections share it. */
  replies: number;
}

interface Hold {
  text: string;
  reply: string | undefined;
  reached(): void;
}

interface Connections {
  faults: Faults;
  /** One function per open connection, which breaks that connection. */
  cuts: Set<() => void>;
  /** Makes the database unreachable: breaks every connection and refuses new ones. */
  leave(): void;
}

function connectSockets(client: Socket, database: Socket, { faults, cuts, leave }: Connections): void {
  let droppingReply = false;
  const holding = holdOf(faults);
  let isInTransaction = false;
  let rest = Buffer.alloc(0);
  const cut = () => {
    cuts.delete(cut);
    client.destroy();
    database.destroy();
  };
  const fail = () => (faults.leaves ? leave() : cut());
  cuts.add(cut);
  client.on('data', (chunk) => {
    if (faults.silent || holding.holdsStatement(chunk)) return;
    if (faults.statement !== null && faults.times > 0 && chunk.includes(faults.statement)) {
      faults.times -= 1;
      fail();
      return;
    }
    if (faults.reply !== null && chunk.includes(faults.reply)) {
      faults.reply = null;
      droppingReply = true;
    }
    database.write(chunk);
  });
  database.on('data', (chunk) => {
    if (faults.silent || holding.holdsReply(chunk)) return;
    const end = chunk.subarray(-readyForQuery.length);
    // A reply may be split between two chunks, so the search includes the last bytes of the previous chunk.
    rest = Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(endOfReply); at !== -1; at = rest.indexOf(endOfReply)) {
      faults.replies += 1;
      rest = rest.subarray(at + endOfReply.length);
    }
    rest = rest.subarray(-(endOfReply.length - 1));
    if (end.equals(inTransaction)) isInTransaction = true;
    if (end.equals(readyForQuery)) isInTransaction = false;
    if (!droppingReply || isInTransaction) client.write(chunk);
    else if (end.equals(readyForQuery)) fail();
  });
  for (const socket of [client, database]) socket.on('close', cut).on('error', cut);
}

/**
 * Returns two functions that stop forwarding on one connection when `faults.hold` applies to it. Each returns true for
 * data that must not be forwarded.
 */
function holdOf(faults: Faults): { holdsStatement(chunk: Buffer): boolean; holdsReply(chunk: Buffer): boolean } {
  let awaited: Hold | null = null;
  let held = false;
  return {
    holdsStatement(chunk) {
      const { hold } = faults;
      if (held || hold === null || !chunk.includes(hold.text)) return held;
      faults.hold = null;
      if (hold.reply === undefined) {
        held = true;
        hold.reached();
      } else awaited = hold;
      return held;
    },
    holdsReply(chunk) {
      // ReadyForQuery, with any transaction state, ends the reply to a statement.
      const isReply = chunk.at(-6) === readyForQuery[0] && chunk.includes(awaited?.reply ?? '');
      if (awaited === null || !isReply) return held;
      held = true;
      awaited.reached();
      awaited = null;
      return true;
    },
  };
}
