import { getTableName, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  type ForeignKeyBuilder,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { apiKeys, ownedBy } from './core.ts';
import { authSessions, authUsers } from './sign-in.ts';

// The sign-in library (Better Auth) defines, reads and writes the OAuth tables in this file, except `connections`. The
// ids in these tables are text.

interface TokenColumns {
  clientId: AnyPgColumn;
  userId: AnyPgColumn;
  sessionId?: AnyPgColumn;
  referenceId: AnyPgColumn;
  refreshId?: AnyPgColumn;
}

/**
 * Returns the foreign keys of tokens and consents, in the order in which a new row must lock the rows that it
 * references. PostgreSQL checks foreign keys in the order of their creation, and `pg_dump` restores them in the order
 * of their names. The names therefore contain their number in this order.
 */
function foreignKeysInLockOrder(table: TokenColumns): ForeignKeyBuilder[] {
  const keys: { column: AnyPgColumn | undefined; target: AnyPgColumn; onDelete: 'cascade' | 'set null' }[] = [
    { column: table.clientId, target: oauthClients.clientId, onDelete: 'cascade' },
    { column: table.userId, target: authUsers.id, onDelete: 'cascade' },
    { column: table.sessionId, target: authSessions.id, onDelete: 'set null' },
    { column: table.referenceId, target: connections.grant_id, onDelete: 'cascade' },
    { column: table.refreshId, target: oauthRefreshTokens.id, onDelete: 'cascade' },
  ];
  return keys
    .flatMap(({ column, ...key }) => (column ? [{ column, ...key }] : []))
    .map(({ column, target, onDelete }, index) => {
      const name = `${getTableName(column.table)}_${index + 1}_${column.name}_${getTableName(target.table)}_${target.name}_fk`;
      return foreignKey({ name, columns: [column], foreignColumns: [target] }).onDelete(onDelete);
    });
}

export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    clientId: text('client_id').notNull().unique(),
    clientSecret: text('client_secret'),
    clientDiscoveryId: text('client_discovery_id'),
    disabled: boolean('disabled').default(false),
    skipConsent: boolean('skip_consent'),
    enableEndSession: boolean('enable_end_session'),
    subjectType: text('subject_type'),
    scopes: text('scopes').array(),
    clientCredentialsScopes: text('client_credentials_scopes').array(),
    userId: text('user_id').references(() => authUsers.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at'),
    updatedAt: moment('updated_at'),
    name: text('name'),
    uri: text('uri'),
    icon: text('icon'),
    contacts: text('contacts').array(),
    tos: text('tos'),
    policy: text('policy'),
    softwareId: text('software_id'),
    softwareVersion: text('software_version'),
    softwareStatement: text('software_statement'),
    redirectUris: text('redirect_uris').array().notNull(),
    postLogoutRedirectUris: text('post_logout_redirect_uris').array(),
    backchannelLogoutUri: text('backchannel_logout_uri'),
    backchannelLogoutSessionRequired: boolean('backchannel_logout_session_required'),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method'),
    applicationType: text('application_type'),
    jwks: text('jwks'),
    jwksUri: text('jwks_uri'),
    grantTypes: text('grant_types').array(),
    responseTypes: text('response_types').array(),
    requirePKCE: boolean('require_pkce'),
    dpopBoundAccessTokens: boolean('dpop_bound_access_tokens').default(false),
    referenceId: text('reference_id'),
    metadata: jsonb('metadata'),
  },
  (table) => [index('oauth_clients_user_id').on(table.userId)],
);

export const oauthResources = pgTable('oauth_resources', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull().unique(),
  name: text('name').notNull(),
  accessTokenTtl: integer('access_token_ttl'),
  refreshTokenTtl: integer('refresh_token_ttl'),
  signingAlgorithm: text('signing_algorithm'),
  signingKeyId: text('signing_key_id'),
  allowedScopes: text('allowed_scopes').array(),
  customClaims: jsonb('custom_claims'),
  dpopBoundAccessTokensRequired: boolean('dpop_bound_access_tokens_required').default(false),
  disabled: boolean('disabled').default(false),
  createdAt: moment('created_at'),
  updatedAt: moment('updated_at'),
  policyVersion: integer('policy_version'),
  metadata: jsonb('metadata'),
});

export const oauthClientResources = pgTable(
  'oauth_client_resources',
  {
    id: text('id').primaryKey(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthClients.clientId, { onDelete: 'cascade' }),
    resourceId: text('resource_id')
      .notNull()
      .references(() => oauthResources.identifier, { onDelete: 'cascade' }),
    metadata: jsonb('metadata'),
    createdAt: moment('created_at'),
  },
  (table) => [
    index('oauth_client_resources_client_id').on(table.clientId),
    index('oauth_client_resources_resource_id').on(table.resourceId),
  ],
);

/**
 * An OAuth client that a member has connected to a workspace. The connection has a separate API key, so that limits,
 * charges and revocation work as for every other key.
 *
 * Consents and tokens refer to its `grant_id`, which is new for each connection. When a connection ends, its tokens are
 * deleted too. No token can be added afterwards, not even by a request that is still running.
 */
export const connections = pgTable(
  'connections',
  {
    workspace_id: ownedBy(),
    client_id: text()
      .notNull()
      .references(() => oauthClients.clientId, { onDelete: 'cascade' }),
    key_id: uuid().notNull(),
    grant_id: text().notNull().unique().default(sql`gen_random_uuid()`),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.client_id] }),
    index('connections_client').on(table.client_id),
    foreignKey({
      columns: [table.workspace_id, table.key_id],
      foreignColumns: [apiKeys.workspace_id, apiKeys.key_id],
    }).onDelete('cascade'),
  ],
);

export const oauthRefreshTokens = pgTable(
  'oauth_refresh_tokens',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    clientId: text('client_id').notNull(),
    sessionId: text('session_id'),
    userId: text('user_id').notNull(),
    referenceId: text('reference_id'),
    authorizationCodeId: text('authorization_code_id'),
    resources: text('resources').array(),
    requestedUserInfoClaims: text('requested_user_info_claims').array(),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at'),
    revoked: moment('revoked'),
    rotatedAt: moment('rotated_at'),
    rotationReplayResponse: text('rotation_replay_response'),
    rotationReplayExpiresAt: moment('rotation_replay_expires_at'),
    authTime: moment('auth_time'),
    confirmation: jsonb('confirmation'),
    scopes: text('scopes').array().notNull(),
  },
  (table) => [
    ...foreignKeysInLockOrder(table),
    index('oauth_refresh_tokens_client_id').on(table.clientId),
    index('oauth_refresh_tokens_reference_id').on(table.referenceId),
    index('oauth_refresh_tokens_session_id').on(table.sessionId),
    index('oauth_refresh_tokens_user_id').on(table.userId),
    index('oauth_refresh_tokens_authorization_code_id').on(table.authorizationCodeId),
  ],
);

export const oauthAccessTokens = pgTable(
  'oauth_access_tokens',
  {
    id: text('id').primaryKey(),
    token: text('token').unique(),
    clientId: text('client_id').notNull(),
    sessionId: text('session_id'),
    userId: text('user_id'),
    referenceId: text('reference_id'),
    authorizationCodeId: text('authorization_code_id'),
    resources: text('resources').array(),
    requestedUserInfoClaims: text('requested_user_info_claims').array(),
    refreshId: text('refresh_id'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at'),
    revoked: moment('revoked'),
    confirmation: jsonb('confirmation'),
    scopes: text('scopes').array().notNull(),
  },
  (table) => [
    ...foreignKeysInLockOrder(table),
    index('oauth_access_tokens_client_id').on(table.clientId),
    index('oauth_access_tokens_reference_id').on(table.referenceId),
    index('oauth_access_tokens_session_id').on(table.sessionId),
    index('oauth_access_tokens_user_id').on(table.userId),
    index('oauth_access_tokens_authorization_code_id').on(table.authorizationCodeId),
    index('oauth_access_tokens_refresh_id').on(table.refreshId),
  ],
);

export const oauthConsents = pgTable(
  'oauth_consents',
  {
    id: text('id').primaryKey(),
    clientId: text('client_id').notNull(),
    userId: text('user_id'),
    referenceId: text('reference_id'),
    resources: text('resources').array(),
    requestedUserInfoClaims: text('requested_user_info_claims').array(),
    scopes: text('scopes').array().notNull(),
    createdAt: moment('created_at'),
    updatedAt: moment('updated_at'),
  },
  (table) => [
    ...foreignKeysInLockOrder(table),
    index('oauth_consents_client_id').on(table.clientId),
    index('oauth_consents_reference_id').on(table.referenceId),
    index('oauth_consents_user_id').on(table.userId),
  ],
);

export const oauthClientAssertions = pgTable('oauth_client_assertions', {
  id: text('id').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
});
