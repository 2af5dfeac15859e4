-- PostgreSQL checks the foreign keys of a new row in the order in which they were created, and locks the rows that they
-- refer to. pg_dump restores foreign keys in the order of their names, so a restored database locked them in another
-- order than migration 0028 intended. The names now contain their number in that order. The foreign keys are created
-- again and not renamed, because a database that was already restored has the wrong order.
ALTER TABLE "oauth_access_tokens"
  DROP CONSTRAINT IF EXISTS "oauth_access_tokens_client_id_oauth_clients_client_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_access_tokens_user_id_auth_users_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_access_tokens_session_id_auth_sessions_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_access_tokens_reference_id_connections_grant_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_access_tokens_refresh_id_oauth_refresh_tokens_id_fk";
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_1_client_id_oauth_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("client_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_2_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_3_session_id_auth_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."auth_sessions"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_4_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_5_refresh_id_oauth_refresh_tokens_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "public"."oauth_refresh_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens"
  DROP CONSTRAINT IF EXISTS "oauth_refresh_tokens_client_id_oauth_clients_client_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_refresh_tokens_user_id_auth_users_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_refresh_tokens_session_id_auth_sessions_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_refresh_tokens_reference_id_connections_grant_id_fk";
--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_1_client_id_oauth_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("client_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_2_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_3_session_id_auth_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."auth_sessions"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_4_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_consents"
  DROP CONSTRAINT IF EXISTS "oauth_consents_client_id_oauth_clients_client_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_consents_user_id_auth_users_id_fk",
  DROP CONSTRAINT IF EXISTS "oauth_consents_reference_id_connections_grant_id_fk";
--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_1_client_id_oauth_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("client_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_2_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_3_reference_id_connections_grant_id_fk" FOREIGN KEY ("reference_id") REFERENCES "public"."connections"("grant_id") ON DELETE cascade ON UPDATE no action;
