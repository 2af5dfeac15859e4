-- PostgreSQL checks the foreign keys of a new row in the order in which they were created. A new access token must lock
-- its connection before its refresh token, as the deletion of a connection does. In the other order, a revocation and a
-- refresh at the same moment were a deadlock.
ALTER TABLE "oauth_access_tokens" DROP CONSTRAINT "oauth_access_tokens_refresh_id_oauth_refresh_tokens_id_fk";
--> statement-breakpoint
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_refresh_id_oauth_refresh_tokens_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "public"."oauth_refresh_tokens"("id") ON DELETE cascade ON UPDATE no action;
