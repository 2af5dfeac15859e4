CREATE TABLE "observation_months" (
	"workspace_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"month" date NOT NULL,
	"observed_at" timestamp with time zone[] NOT NULL,
	"followers" bigint[],
	"following" bigint[],
	"posts" bigint[],
	"views" bigint[],
	"likes" bigint[],
	"comments" bigint[],
	"shares" bigint[],
	"favorites" bigint[],
	"total_views" bigint[],
	"quality" integer[] NOT NULL,
	"source" text[] NOT NULL,
	CONSTRAINT "observation_months_workspace_id_item_id_month_pk" PRIMARY KEY("workspace_id","item_id","month")
);
--> statement-breakpoint
ALTER TABLE "observation_months" ADD CONSTRAINT "observation_months_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "observation_months_month" ON "observation_months" USING btree ("month");