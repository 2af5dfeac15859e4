ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_charge";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_charge_shape";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_charge" UNIQUE("workspace_id","charge_id","kind");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('starter', 'purchase', 'charge', 'return', 'adjustment'));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_charge_shape" CHECK (("ledger_entries"."kind" in ('charge', 'return')) = ("ledger_entries"."charge_id" is not null)
        and ("ledger_entries"."kind" <> 'charge' or "ledger_entries"."credits" < 0) and ("ledger_entries"."kind" <> 'return' or "ledger_entries"."credits" > 0));