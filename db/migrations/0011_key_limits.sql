ALTER TABLE "api_keys" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "networks" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK (cardinality("api_keys"."scopes") > 0 and "api_keys"."scopes" <@ array['data', 'workflows', 'mcp']);--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_networks" CHECK (cardinality("api_keys"."networks") > 0);