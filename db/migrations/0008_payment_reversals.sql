CREATE TABLE "payment_reversals" (
	"payment_id" text NOT NULL,
	"source" text NOT NULL,
	"amount" bigint NOT NULL,
	"stage" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_reversals_payment_id_source_pk" PRIMARY KEY("payment_id","source")
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "taken_credits" bigint DEFAULT 0 NOT NULL;